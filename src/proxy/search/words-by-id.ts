import { invalidParameter } from '#contract/errors.ts'
import type { Gloss } from '#contract/glosses.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss } from '#contract/parameters.ts'
import type { Release } from '#release/release.ts'
import { textBody, type Body } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'
import { wordRecord } from '../word-record.ts'
import { answerSearch, readSearch, type Search } from './answer.ts'

/** What GET /words asks for: words by their ids (contract 1.6), or a search. */
type Asked = { ids: readonly number[]; gloss: Gloss } | Search

export const listWords: Handler<ParameterValues<'listWords'>, Asked> = {
  read(values, context) {
    const { ids, gloss = defaultGloss, ...others } = values
    if (ids === undefined) return readSearch(values, context)
    const names = Object.keys(others)
    if (names.length > 0)
      return invalidParameter('ids', `ids can be combined with gloss only: omit ${names.join(', ')}, or ids`)
    return { ids, gloss }
  },
  answer: (asked, context) =>
    'ids' in asked ? answerIds(asked.ids, asked.gloss, context.release) : answerSearch(asked, context),
}

function answerIds(ids: readonly number[], gloss: Gloss, { words }: Release): Body {
  const rows = ids.map((id) => words.find(id)).filter((row) => row >= 0)
  const found = rows.map((row) => wordRecord(words, row, gloss))
  return textBody(`{"words":[${found.join()}],"totalCount":${rows.length},"nextCursor":null}`)
}
