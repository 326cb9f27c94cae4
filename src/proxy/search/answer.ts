import type { ErrorAnswer } from '#contract/errors.ts'
import type { Gloss } from '#contract/glosses.ts'
import { levels, type Level } from '#contract/levels.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import { ByteWriter, pieceOf } from '#kit/byte-writer.ts'
import { searchFold } from '#language/search-fold.ts'
import type { Release } from '#release/release.ts'
import type { Answers } from '../http/answers.ts'
import { boundDiffers, unusableCursor, type Cursors } from '../http/cursor.ts'
import { isError, type Answer, type Context } from '../http/handler.ts'
import { levelMask } from '../level-mask.ts'
import type { Values } from '../http/read-parameters.ts'
import { writeWordRecord } from '../word-record.ts'
import { findWords } from './find-words.ts'

const endpoint = 'words'

interface SearchValues {
  q?: string
  language?: string
  gloss?: Gloss
  level?: Level[]
  hasClips?: boolean
  limit?: number
  cursor?: string
}

/** A search and how far it has been read. */
interface Search {
  /** Empty: all words. */
  q: string
  language: string
  levelMask: number
  hasClips: boolean
  position: number
}

/** GET /words (contract 1.5). */
export function prepareSearch(answers: Answers) {
  return (values: Values, context: Context): ErrorAnswer | (() => Answer) => {
    const { release, cursors } = context
    const query = values as SearchValues
    const search =
      query.cursor === undefined ? beginSearch(query) : resumeSearch(query, query.cursor, release, cursors)
    return isError(search) ? search : () => answerSearch(query, search, context, answers)
  }
}

function beginSearch({
  q = '',
  language = defaultLanguage,
  level = [...levels],
  hasClips = true,
}: SearchValues): Search {
  return { q, language, levelMask: levelMask(level), hasClips, position: 0 }
}

function resumeSearch(
  query: SearchValues,
  cursor: string,
  release: Release,
  cursors: Cursors,
): Search | ErrorAnswer {
  const fields = cursors.open(endpoint, cursor)
  if (fields === null || fields[0] !== release.manifest.tree) return unusableCursor()
  const [, q, language, mask, hasClips, position] = fields as [string, string, string, number, number, number]
  if (query.q !== undefined && query.q !== q) return boundDiffers('q')
  if (query.language !== undefined && query.language !== language) return boundDiffers('language')
  if (query.level !== undefined && levelMask(query.level) !== mask) return boundDiffers('level')
  if (query.hasClips !== undefined && query.hasClips !== (hasClips === 1)) return boundDiffers('hasClips')
  return { q, language, levelMask: mask, hasClips: hasClips === 1, position }
}

function answerSearch(
  { gloss = defaultGloss, limit = limitRange.default }: SearchValues,
  search: Search,
  { release, cursors }: Context,
  answers: Answers,
): Answer {
  const { q, language, levelMask, hasClips, position } = search
  const query = `${language} ${gloss} ${levelMask} ${Number(hasClips)} ${position} ${limit} ${q}`
  const kept = answers.get(release, query)
  if (kept) return kept
  const range = release.words.rangeOf(language)
  const found = findWords(
    { search: release.search, levels: release.words.levels, range },
    searchFold(q, language),
    { levelMask, hasClips, position, limit },
  )
  const end = position + limit
  const nextCursor =
    end < found.totalCount
      ? cursors.seal(endpoint, [release.manifest.tree, q, language, levelMask, Number(hasClips), end])
      : null
  release.words.fetch(found.rows)
  release.words.fetchCounts(found.rows)
  out.clear()
  out.piece(beforeWords)
  for (let i = 0; i < found.rows.length; i++) {
    if (i > 0) out.byte(comma)
    writeWordRecord(out, release.words, found.rows[i]!, gloss)
  }
  out.text(`],"totalCount":${found.totalCount},"nextCursor":${JSON.stringify(nextCursor)}}`)
  return answers.take(release, query, out)
}

/** The answer at hand: joined in the same memory each time. */
const out = new ByteWriter(64 * 1024)
const beforeWords = pieceOf('{"words":[')
const comma = 44
