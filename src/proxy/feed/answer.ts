import { randomBytes } from 'node:crypto'
import type { ErrorAnswer } from '#contract/errors.ts'
import type { Gloss } from '#contract/glosses.ts'
import { bandOf, bands, levels, type Level } from '#contract/levels.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import type { Release } from '#release/release.ts'
import { jsonBody } from '../body.ts'
import { boundDiffers, unusableCursor, type Cursors } from '../cursor.ts'
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
    domain: release.clips.rangeOf(language).domain,
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
  const excluded = excludedRows(query.exclude ?? [], release)
  const { rows, next } = takePage(walk, release, excluded, limit)
  const band = query.level === undefined ? null : bands.indexOf(bandOf(query.level))
  let items = ''
  for (const row of rows) {
    const focusBand = band ?? bandOfLevel[release.clips.level(row)]!
    if (items !== '') items += ','
    items += `{"clip":${release.clips.clipJson(row)},"focusWord":${focusWordJson(row, focusBand, gloss, release)}}`
  }
  const nextCursor =
    next === null
      ? null
      : cursors.seal(endpoint, [release.manifest.tree, walk.language, walk.seed, walk.domain, next])
  return {
    body: jsonBody(
      `{"seed":${JSON.stringify(walk.seed)},"items":[${items}],"nextCursor":${JSON.stringify(nextCursor)}}`,
    ),
  }
}

/** By the rank of a level, the place of its band among the bands. */
const bandOfLevel = levels.map((level) => bands.indexOf(bandOf(level)))

function excludedRows(ids: readonly string[], release: Release): Set<number> {
  return new Set(ids.map((id) => release.clips.find(id)))
}

/** The next clips of the walk, and the position of the one after them: null where none is left. */
function takePage(
  walk: Walk,
  { clips }: Release,
  excluded: ReadonlySet<number>,
  limit: number,
): { rows: number[]; next: number | null } {
  const { base, domain } = clips.rangeOf(walk.language)
  const order = new Order(walk.language, walk.seed, walk.domain)
  const rows: number[] = []
  for (let position = walk.position; position < walk.domain; position++) {
    const ordinal = order.at(position)
    const row = base + ordinal
    if (ordinal >= domain || !clips.isLive(row) || excluded.has(row)) continue
    if (rows.length === limit) return { rows, next: position }
    rows.push(row)
  }
  return { rows, next: null }
}

function focusWordJson(row: number, band: number, gloss: Gloss, { clips, words }: Release): string {
  const word = clips.focusWord(row, band)
  return word < 0
    ? 'null'
    : `${words.wordJson(word, gloss)},"tStart":${clips.focusStartMs(row, band) / 1000}}`
}
