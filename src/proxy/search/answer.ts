import { isError, invalidParameter } from '#contract/errors.ts'
import type { Gloss } from '#contract/glosses.ts'
import { levelMask, levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import { toByteText } from '#kit/byte-text.ts'
import type { Release } from '#release/release.ts'
import { Body } from '../http/body.ts'
import type { Context, Handler } from '../http/handler.ts'
import { nextCursor, readPage, type PageRequest } from '../http/pagination.ts'
import { findWords } from './find-words.ts'

type SearchPage = PageRequest<'listWords'>

/** What GET /words asks for: words by their ids (contract 1.6), or the page of a search. */
type Asked = { gloss: Gloss } & ({ ids: readonly number[] } | { page: SearchPage; limit: number })

/** GET /words (contract 1.5). */
export const listWords: Handler<ParameterValues<'listWords'>, Asked> = {
  read(values, context) {
    const { ids, gloss = defaultGloss, ...others } = values
    if (ids === undefined) {
      const page = readPage('listWords', values, context, beginSearch)
      return isError(page) ? page : { gloss, page, limit: values.limit ?? limitRange.default }
    }
    const names = Object.keys(others)
    if (names.length > 0)
      return invalidParameter('ids', `ids can be combined with gloss only: omit ${names.join(', ')}, or ids`)
    return { gloss, ids }
  },
  answer(asked, context) {
    if ('ids' in asked) return answerIds(asked.ids, asked.gloss, context.release)
    return answerSearch(asked.page, asked.limit, asked.gloss, context)
  },
}

/** The search for all words. */
function beginSearch(): SearchPage['bound'] {
  return { q: '', language: defaultLanguage, level: [...levels], hasClips: true }
}

function answerSearch(page: SearchPage, limit: number, gloss: Gloss, context: Context): Body {
  const { release } = context
  const { q, language, level, hasClips } = page.bound
  const [offset = 0] = page.position
  const options = { levelMask: levelMask(level), hasClips, offset, limit }
  const { words, totalCount } = findWords(release, q, language, options)
  const end = offset + limit
  const cursor = nextCursor('listWords', page.bound, end < totalCount ? [end] : null, context)
  const found = words.map(({ row, matchedForm }) => {
    const record = release.words.record(row, gloss)
    if (matchedForm === undefined) return record
    return `${record.slice(0, -1)},"matchedForm":${toByteText(JSON.stringify(matchedForm))}}`
  })
  return new Body(
    `{"words":[${found.join()}],"totalCount":${totalCount},"nextCursor":${JSON.stringify(cursor)}}`,
  )
}

function answerIds(ids: readonly number[], gloss: Gloss, { words }: Release): Body {
  const rows = ids.map((id) => words.find(id)).filter((row) => row >= 0)
  const found = rows.map((row) => words.record(row, gloss))
  return new Body(`{"words":[${found.join()}],"totalCount":${rows.length},"nextCursor":null}`)
}
