import { randomBytes } from 'node:crypto'
import type { ErrorAnswer } from '#contract/errors.ts'
import type { FocusWord } from '#contract/feed.ts'
import { meaningIn, type Gloss } from '#contract/glosses.ts'
import { bandOf, bands, type Level } from '#contract/levels.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import type { Release } from '#release/release.ts'
import type { ClipRow } from '#release/tables.ts'
import { boundDiffers, unusableCursor, type Cursors } from '../cursor.ts'
import { jsonBody } from '../body.ts'
import { isError, type Answer, type Context } from '../handler.ts'
import type { Values } from '../read-parameters.ts'
import { Order } from './order.ts'

const endpoint = 'feed'

/** Where a walk stands. */
interface Walk {
  language: string
  seed: string
  /** How many ordinals there were when the walk began: its order is made over these. */
  domain: number
  position: number
}

interface FeedValues {
  language?: string
  gloss?: Gloss
  level?: Level
  exclude?: string[]
  seed?: string
  limit?: number
  cursor?: string
}

/** GET /feed (contract 1.5). */
export function prepareFeed(values: Values, { release, cursors }: Context): ErrorAnswer | (() => Answer) {
  const query = values as FeedValues
  const walk =
    query.cursor === undefined ? beginWalk(query, release) : resumeWalk(query, query.cursor, release, cursors)
  return isError(walk) ? walk : () => answerFeed(query, walk, release, cursors)
}

function beginWalk({ language = defaultLanguage, seed }: FeedValues, release: Release): Walk {
  return {
    language,
    seed: seed ?? randomBytes(16).toString('base64url'),
    domain: release.language(language)?.domain ?? 0,
    position: 0,
  }
}

function resumeWalk(
  query: FeedValues,
  cursor: string,
  release: Release,
  cursors: Cursors,
): Walk | ErrorAnswer {
  const fields = cursors.open(endpoint, cursor)
  if (fields === null || fields[0] !== release.manifest.tree) return unusableCursor()
  const [, language, seed, domain, position] = fields as [string, string, string, number, number]
  if (query.language !== undefined && query.language !== language) return boundDiffers('language')
  if (query.seed !== undefined && query.seed !== seed) return boundDiffers('seed')
  return { language, seed, domain, position }
}

function answerFeed(query: FeedValues, walk: Walk, release: Release, cursors: Cursors): Answer {
  const { limit = limitRange.default, gloss = defaultGloss } = query
  const { rows, next } = takePage(
    walk,
    release,
    excludedOrdinals(query.exclude ?? [], walk.language, release),
    limit,
  )
  const items = rows.map(
    (row) =>
      `{"clip":${JSON.stringify(row.clip)},"focusWord":${JSON.stringify(focusWord(row, query.level, gloss, release))}}`,
  )
  const nextCursor =
    next === null
      ? null
      : cursors.seal(endpoint, [release.manifest.tree, walk.language, walk.seed, walk.domain, next])
  return {
    body: jsonBody(
      `{"seed":${JSON.stringify(walk.seed)},"items":[${items.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`,
    ),
  }
}

function excludedOrdinals(ids: readonly string[], language: string, release: Release): Set<number> {
  const rows = ids.map((id) => release.clip(id)).filter((row) => row?.clip.language === language)
  return new Set(rows.map((row) => row!.ordinal))
}

/** The next clips of the walk, and the position of the one after them: null where none is left. */
function takePage(
  walk: Walk,
  release: Release,
  excluded: ReadonlySet<number>,
  limit: number,
): { rows: ClipRow[]; next: number | null } {
  const clips = release.language(walk.language)?.clips ?? []
  const order = new Order(walk.language, walk.seed, walk.domain)
  const rows: ClipRow[] = []
  for (let position = walk.position; position < walk.domain; position++) {
    const ordinal = order.at(position)
    const row = clips[ordinal]
    if (!row || excluded.has(ordinal)) continue
    if (rows.length === limit) return { rows, next: position }
    rows.push(row)
  }
  return { rows, next: null }
}

function focusWord(row: ClipRow, level: Level | undefined, gloss: Gloss, release: Release): FocusWord | null {
  const focus = row.focus[bands.indexOf(bandOf(level ?? row.clip.level))]
  if (!focus) return null
  const [wordId, tStart] = focus
  const word = release.word(wordId)!
  return { word: word.word, wordId, level: word.level, meaning: meaningIn(gloss, word.meanings), tStart }
}
