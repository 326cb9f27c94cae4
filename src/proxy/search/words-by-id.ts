import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import type { Gloss } from '#contract/glosses.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss } from '#contract/parameters.ts'
import { pieceOf } from '#kit/byte-writer.ts'
import type { Release } from '#release/release.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import type { Answer, Context, LookUp } from '../http/handler.ts'
import { wordRecord } from '../word-record.ts'
import { prepareSearch } from './answer.ts'

/** GET /words: the words that `ids` names (contract 1.6), else a search. */
export function prepareWords(answers: AnswerCache) {
  const prepareOther = prepareSearch(answers)
  return (values: ParameterValues<'listWords'>, context: Context): ErrorAnswer | LookUp => {
    const { ids, gloss = defaultGloss, ...others } = values
    if (ids === undefined) return prepareOther(values, context)
    const names = Object.keys(others)
    if (names.length > 0)
      return invalidParameter('ids', `ids can be combined with gloss only: omit ${names.join(', ')}, or ids`)
    return () => answerIds(ids, gloss, context.release, answers)
  }
}

const beforeWords = pieceOf('{"words":[')
const comma = 44

function answerIds(ids: readonly number[], gloss: Gloss, release: Release, answers: AnswerCache): Answer {
  // The key of a search begins with a position or NUL, so it differs.
  return answers.answer(release, `ids ${gloss} ${ids.join()}`, (out) => {
    const { words } = release
    const rows = ids.map((id) => words.find(id)).filter((row) => row >= 0)
    out.piece(beforeWords)
    for (const [i, row] of rows.entries()) {
      if (i > 0) out.byte(comma)
      out.text(wordRecord(words, row, gloss))
    }
    out.text(`],"totalCount":${rows.length},"nextCursor":null}`)
  })
}
