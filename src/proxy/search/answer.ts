import type { ErrorAnswer } from '#contract/errors.ts'
import { levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import { textBody, type Body } from '../http/body.ts'
import { isError, type Context } from '../http/handler.ts'
import { Pagination, type PageRequest } from '../http/pagination.ts'
import { levelMask } from '../level-mask.ts'
import { wordRecord } from '../word-record.ts'
import { findWords } from './find-words.ts'

const pagination = new Pagination('listWords')

type SearchValues = ParameterValues<'listWords'>
type SearchPage = PageRequest<'listWords'>

/** A search: what GET /words asks for without `ids`. */
export interface Search {
  values: SearchValues
  page: SearchPage
}

export function readSearch(values: SearchValues, context: Context): Search | ErrorAnswer {
  const page = pagination.read(values, context, beginSearch)
  return isError(page) ? page : { values, page }
}

export function answerSearch({ values, page }: Search, context: Context): Body {
  return textBody(pageOf(values, page, context))
}

/** The search for all words. */
function beginSearch(): SearchPage['bound'] {
  return { q: '', language: defaultLanguage, level: [...levels], hasClips: true }
}

function pageOf(
  { gloss = defaultGloss, limit = limitRange.default }: SearchValues,
  page: SearchPage,
  context: Context,
): string {
  const { release } = context
  const { q, language, level, hasClips } = page.bound
  const [offset = 0] = page.position
  const options = { levelMask: levelMask(level), hasClips, offset, limit }
  const { words, totalCount } = findWords(release, q, language, options)
  const end = offset + limit
  const nextCursor = pagination.nextCursor(page, end < totalCount ? [end] : null, context)
  const found = words.map(({ row, matchedForm }) => {
    const record = wordRecord(release.words, row, gloss)
    if (matchedForm === undefined) return record
    return `${record.slice(0, -1)},"matchedForm":${JSON.stringify(matchedForm)}}`
  })
  return `{"words":[${found.join()}],"totalCount":${totalCount},"nextCursor":${JSON.stringify(nextCursor)}}`
}
