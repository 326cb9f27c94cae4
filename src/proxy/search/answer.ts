import type { ErrorAnswer } from '#contract/errors.ts'
import type { Gloss } from '#contract/glosses.ts'
import { levels, type Level } from '#contract/levels.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import type { WordPage } from '#contract/word.ts'
import { shortDigest } from '#kit/digest.ts'
import { searchFold } from '#kit/search-fold.ts'
import type { Release } from '#release/release.ts'
import { boundDiffers, unusableCursor, type Cursors } from '../cursor.ts'
import { jsonBody } from '../body.ts'
import { isError, type Answer, type Context } from '../handler.ts'
import { levelMask, levelsOfMask } from '../level-mask.ts'
import type { Values } from '../read-parameters.ts'
import { toWord } from '../word-record.ts'
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
  levels: readonly Level[]
  hasClips: boolean
  position: number
}

/** GET /words (contract 1.5). */
export function prepareSearch(values: Values, { release, cursors }: Context): ErrorAnswer | (() => Answer) {
  const query = values as SearchValues
  const search =
    query.cursor === undefined ? beginSearch(query) : resumeSearch(query, query.cursor, release, cursors)
  return isError(search) ? search : () => answerSearch(query, search, release, cursors)
}

function beginSearch({
  q = '',
  language = defaultLanguage,
  level = [...levels],
  hasClips = true,
}: SearchValues): Search {
  return { q, language, levels: level, hasClips, position: 0 }
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
  return { q, language, levels: levelsOfMask(mask), hasClips: hasClips === 1, position }
}

function answerSearch(
  { gloss = defaultGloss, limit = limitRange.default }: SearchValues,
  search: Search,
  release: Release,
  cursors: Cursors,
): Answer {
  const { q, language, hasClips, position } = search
  const candidates = release.language(language)?.words ?? []
  const wanted = candidates.filter(
    (word) => (!hasClips || word.clipCount > 0) && search.levels.includes(word.level),
  )
  const found = findWords(wanted, searchFold(q, language))
  const end = position + limit
  const page: WordPage = {
    words: found.slice(position, end).map((word) => toWord(word, gloss)),
    totalCount: found.length,
    nextCursor:
      end < found.length
        ? cursors.seal(endpoint, [
            release.manifest.tree,
            q,
            language,
            levelMask(search.levels),
            Number(hasClips),
            end,
          ])
        : null,
  }
  const body = jsonBody(JSON.stringify(page))
  return { body, digest: shortDigest(body) }
}
