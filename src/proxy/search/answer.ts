import type { ErrorAnswer } from '#contract/errors.ts'
import { levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import { pieceOf, type ByteWriter } from '#kit/byte-writer.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import { isError, type Answer, type Context } from '../http/handler.ts'
import { Pagination, type PageRequest } from '../http/pagination.ts'
import { levelMask } from '../level-mask.ts'
import { wordRecord } from '../word-record.ts'
import { findWords } from './find-words.ts'

const pagination = new Pagination('listWords')

type SearchValues = ParameterValues<'listWords'>
type SearchPage = PageRequest<'listWords'>

/** GET /words (contract 1.5). */
export function prepareSearch(answers: AnswerCache) {
  return (values: SearchValues, context: Context): ErrorAnswer | (() => Answer) => {
    const page = pagination.read(values, context, beginSearch)
    if (isError(page)) return page
    const write = (out: ByteWriter) => writePage(out, values, page, context)
    return () => answers.answer(context.release, pagination.cacheKey(values, page), write)
  }
}

/** The search for all words. */
function beginSearch(): SearchPage['bound'] {
  return { q: '', language: defaultLanguage, level: [...levels], hasClips: true }
}

function writePage(
  out: ByteWriter,
  { gloss = defaultGloss, limit = limitRange.default }: SearchValues,
  page: SearchPage,
  context: Context,
): void {
  const { release } = context
  const { q, language, level, hasClips } = page.bound
  const [offset = 0] = page.position
  const options = { levelMask: levelMask(level), hasClips, offset, limit }
  const { words, totalCount } = findWords(release, q, language, options)
  const end = offset + limit
  const nextCursor = pagination.nextCursor(page, end < totalCount ? [end] : null, context)
  out.piece(beforeWords)
  for (const [i, { row, matchedForm }] of words.entries()) {
    if (i > 0) out.byte(comma)
    out.text(wordRecord(release.words, row, gloss))
    if (matchedForm === undefined) continue
    // It goes to the end of the record just written.
    out.length--
    out.text(`,"matchedForm":${JSON.stringify(matchedForm)}}`)
  }
  out.text(`],"totalCount":${totalCount},"nextCursor":${JSON.stringify(nextCursor)}}`)
}

const beforeWords = pieceOf('{"words":[')
const comma = 44
