import { isError, invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import { glosses, type Gloss } from '#contract/glosses.ts'
import { levelMask, levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import { withCommas } from '#kit/byte-text.ts'
import type { Release } from '#release/release.ts'
import { resolveWord } from '#release/resolve-word.ts'
import { Body } from '../http/body.ts'
import type { Context, Handler } from '../http/handler.ts'
import { boundDiffers, nextCursor, readPage, type PageRequest } from '../http/pagination.ts'
import { findByMeaning } from './find-by-meaning.ts'
import { findWords } from './find-words.ts'

type SearchPage = PageRequest<'listWords'>

/** The request of GET /words: words by ids or spellings (contract 1.6), or the page of a search. */
type Asked = { gloss: Gloss } & (
  | { ids: readonly number[] }
  | { spellings: readonly string[]; language: string }
  | { page: SearchPage; limit: number }
)

/** GET /words (contract 1.5). */
export const listWords: Handler<ParameterValues<'listWords'>, Asked> = {
  read(values, context) {
    const { ids, spellings, language = defaultLanguage, gloss = defaultGloss } = values
    const others = (allowedNames: readonly string[]) =>
      Object.keys(values).filter((name) => !allowedNames.includes(name))
    if (spellings) {
      const names = others(['spellings', 'language', 'gloss'])
      if (names.length > 0) return cannotCombine('spellings', 'language and gloss', names)
      return { gloss, spellings, language }
    }
    if (ids) {
      const names = others(['ids', 'gloss'])
      return names.length > 0 ? cannotCombine('ids', 'gloss', names) : { gloss, ids }
    }
    const allWords = { q: '', in: 'spellings' as const, language, level: [...levels], hasClips: true }
    const page = readPage('listWords', values, context, () => allWords)
    if (isError(page)) return page
    const limit = values.limit ?? limitRange.default
    if (page.boundValues.in === 'spellings') return { gloss, page, limit }
    if (page.boundValues.q === '')
      return invalidParameter('in', 'in=meanings needs q, the text to search for.')
    const [, number] = page.position
    const boundGloss = number === undefined ? gloss : glosses[number]!
    return values.gloss !== undefined && values.gloss !== boundGloss
      ? boundDiffers('gloss', values.gloss)
      : { gloss: boundGloss, page, limit }
  },
  answer(request, context) {
    if ('ids' in request) return answerIds(request.ids, request.gloss, context.release)
    if ('spellings' in request)
      return answerSpellings(request.spellings, request.language, request.gloss, context.release)
    return answerSearch(request.page, request.limit, request.gloss, context)
  },
}

function cannotCombine(name: string, allowedNames: string, others: readonly string[]): ErrorAnswer {
  return invalidParameter(
    name,
    `${name} can be combined only with ${allowedNames}. Omit ${others.join(' and ')}, or omit ${name}.`,
  )
}

function answerSearch(page: SearchPage, limit: number, gloss: Gloss, context: Context): Body | Promise<Body> {
  if (page.boundValues.in === 'meanings') return answerMeanings(page, limit, gloss, context)
  const { release } = context
  const { q, language, level, hasClips } = page.boundValues
  const [offset = 0] = page.position
  const filter = { language, levelMask: levelMask(level), hasClips }
  const { words, totalCount } = findWords(release, q, filter, { offset, limit })
  const end = offset + limit
  const cursor = nextCursor('listWords', page.boundValues, end < totalCount ? [end] : null, context)
  const records = words.map(({ row, matchedForm }) => release.words.record(row, gloss, { matchedForm }))
  return wordPage(records, totalCount, cursor)
}

/** The cursor also contains the number of the gloss, which such a search is bound to. */
async function answerMeanings(
  page: SearchPage,
  limit: number,
  gloss: Gloss,
  context: Context,
): Promise<Body> {
  const { release, job } = context
  const { q, language, level, hasClips } = page.boundValues
  const [offset = 0] = page.position
  const search = { language, gloss, levelMask: levelMask(level), hasClips }
  const rows = await findByMeaning(release, q, search, job)
  const end = offset + limit
  const position = end < rows.length ? [end, glosses.indexOf(gloss)] : null
  const records = rows.slice(offset, end).map((row) => release.words.record(row, gloss))
  return wordPage(records, rows.length, nextCursor('listWords', page.boundValues, position, context))
}

function answerIds(ids: readonly number[], gloss: Gloss, { words }: Release): Body {
  const rows = ids.map((id) => words.find(id)).filter((row) => row >= 0)
  return wholeList(rows.map((row) => words.record(row, gloss)))
}

function answerSpellings(
  spellings: readonly string[],
  language: string,
  gloss: Gloss,
  release: Release,
): Body {
  const words = spellings
    .map((spelling) => ({ spelling, row: resolveWord(spelling, language, release) }))
    .filter(({ row }) => row >= 0)
  return wholeList(words.map(({ spelling, row }) => release.words.record(row, gloss, { spelling })))
}

/** Returns the body of a list that is not divided into pages. */
function wholeList(records: readonly string[]): Body {
  return wordPage(records, records.length, null)
}

function wordPage(records: readonly string[], totalCount: number, cursor: string | null): Body {
  return new Body(
    `{"words":[${withCommas(records)}],"totalCount":${totalCount},"nextCursor":${JSON.stringify(cursor)}}`,
  )
}
