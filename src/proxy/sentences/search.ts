import { setImmediate } from 'node:timers/promises'
import type { Release } from '#release/release.ts'
import { openList, type Segment } from '#release/sentences/reader.ts'
import { findRuns, type Matches, type QueryToken } from './match.ts'
import type { SegmentCache } from './segment-cache.ts'

/** A search that found more clips goes on in another turn, so that no turn is long. */
const clipsPerTurn = 10_000

/** A query, ready to be looked up in any segment. */
export interface Query {
  language: string
  /** Token by token the terms that stand for it: itself, first, and its other forms. */
  terms: Buffer[][]
}

/** The clips that a query is said in: three columns, segment by segment. */
export interface Found {
  rows: Uint32Array
  counts: Uint32Array
  /** The number of the clip within its segment. */
  clips: Uint32Array
  /** By segment: its first place in the columns. */
  starts: number[]
}

/**
 * What the tokens of a query stand for: with `forms` every spelling of the words that they are
 * spellings of.
 */
export function toQuery(
  tokens: readonly string[],
  language: string,
  match: 'forms' | 'exact',
  { words }: Release,
): Query {
  const spellings = (token: string) =>
    match === 'exact' ? [token] : [...new Set([token, ...words.spellingsLike(token, language)])]
  return { language, terms: tokens.map((token) => spellings(token).map((text) => Buffer.from(text))) }
}

export function segmentsOf(release: Release, language: string): readonly Segment[] {
  return release.sentences.get(language) ?? []
}

/** Looks a query up in all segments. A long search gives other requests their turns. */
export async function searchSegments(query: Query, release: Release, cache: SegmentCache): Promise<Found> {
  const segments = segmentsOf(release, query.language)
  const matches: Matches[] = []
  for (const segment of segments) matches.push(await matchSegment(query, segment, release, cache))
  return liveMatches(matches, segments, release)
}

async function liveMatches(
  matches: readonly Matches[],
  segments: readonly Segment[],
  release: Release,
): Promise<Found> {
  const mostRows = matches.reduce((sum, { clips }) => sum + clips.length, 0)
  const rows = new Uint32Array(mostRows)
  const counts = new Uint32Array(mostRows)
  const clips = new Uint32Array(mostRows)
  const starts: number[] = []
  let length = 0
  for (const [at, segment] of segments.entries()) {
    starts.push(length)
    const { clips: matched, ends } = matches[at]!
    if (matched.length > clipsPerTurn) await setImmediate()
    const isLive = liveClips(segment, release)
    const { base } = release.clips.rangeOf(segment.entry.language)
    for (let i = 0; i < matched.length; i++) {
      const clip = matched[i]!
      if (isLive[clip] === 0) continue
      rows[length] = base + segment.ordinal(clip)
      counts[length] = ends[i]! - (i === 0 ? 0 : ends[i - 1]!)
      clips[length++] = clip
    }
  }
  if (length > clipsPerTurn) await setImmediate()
  return {
    rows: rows.subarray(0, length),
    counts: counts.subarray(0, length),
    clips: clips.subarray(0, length),
    starts,
  }
}

const liveOf = new WeakMap<Release, Map<Segment, Uint8Array>>()

/**
 * Which clips of a segment the release holds: 0 for one that was withdrawn, or has a later record
 * in another segment. Found out once a release.
 */
function liveClips(segment: Segment, release: Release): Uint8Array {
  let bySegment = liveOf.get(release)
  if (!bySegment) liveOf.set(release, (bySegment = new Map()))
  let isLive = bySegment.get(segment)
  if (!isLive) {
    const { clips } = release
    const { base } = clips.rangeOf(segment.entry.language)
    isLive = new Uint8Array(segment.clipCount)
    for (let clip = 0; clip < isLive.length; clip++) {
      const row = base + segment.ordinal(clip)
      isLive[clip] = Number(clips.isLive(row) && clips.revision(row) === segment.revision(clip))
    }
    bySegment.set(segment, isLive)
  }
  return isLive
}

/** The places of a query in a segment; `only` in these clips, in ascending order. */
export async function matchSegment(
  { terms }: Query,
  segment: Segment,
  release: Release,
  cache: SegmentCache,
  only: readonly number[] | null = null,
): Promise<Matches> {
  const tokens = await Promise.all(
    terms.map(async (some): Promise<QueryToken> => {
      const lists: QueryToken['lists'] = []
      let sizeBytes = 0
      for (const [i, term] of some.entries()) {
        for (const range of segment.listsOf(term)) {
          const bytes = cache.read(release, segment, range)
          const list = openList(bytes instanceof Promise ? await bytes : bytes, term)
          if (!list) continue
          lists.push({ list, isExact: i === 0 })
          sizeBytes += list.sizeBytes
        }
      }
      return { lists, sizeBytes }
    }),
  )
  const run = findRuns(tokens, only)
  for (;;) {
    const step = run.next()
    if (step.done) return step.value
    await setImmediate()
  }
}
