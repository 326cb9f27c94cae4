import type { ErrorAnswer } from '#contract/errors.ts'
import { levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import { pieceOf, type ByteWriter } from '#kit/byte-writer.ts'
import { searchFold } from '#language/search-fold.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import { isError, type Answer, type Context } from '../http/handler.ts'
import { Pagination, type PageRequest } from '../http/pagination.ts'
import { levelMask } from '../level-mask.ts'
import { writeWordRecord } from '../word-record.ts'
import { findSpelled, matchedForms } from './find-spelled.ts'
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
  const [start = 0] = page.position
  const range = release.words.rangeOf(language)
  const filter = { levelMask: levelMask(level), hasClips }
  const found = findWords(
    { search: release.search, levels: release.words.levels, range },
    searchFold(q, language),
    { ...filter, offset: start, limit },
  )
  const spelled = q === '' ? [] : findSpelled(release, q, language, filter)
  const firstSpelled = Math.max(0, start - found.totalCount)
  const others = spelled.slice(firstSpelled, firstSpelled + limit - found.rows.length)
  const totalCount = found.totalCount + spelled.length
  const end = start + limit
  const nextCursor = pagination.nextCursor(page, end < totalCount ? [end] : null, context)
  const rows = [...found.rows, ...others]
  const forms = others.length === 0 ? [] : matchedForms(release, others, q, language)
  out.piece(beforeWords)
  for (let i = 0; i < rows.length; i++) {
    if (i > 0) out.byte(comma)
    writeWordRecord(out, release.words, rows[i]!, gloss)
    if (i < found.rows.length) continue
    // The spelling that matched goes to the end of the record just written.
    out.length--
    out.text(`,"matchedForm":${JSON.stringify(forms[i - found.rows.length])}}`)
  }
  out.text(`],"totalCount":${totalCount},"nextCursor":${JSON.stringify(nextCursor)}}`)
}

const beforeWords = pieceOf('{"words":[')
const comma = 44
