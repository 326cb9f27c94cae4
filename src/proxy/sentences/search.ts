import type { Release } from '#release/release.ts'
import type { Segment } from '#release/sentences/reader.ts'
import { countRuns, type Counted } from './count-runs.ts'
import { openTerms, type Query } from './open-query.ts'
import type { SegmentCache } from './segment-cache.ts'
import { sortKeysOf, type SortKeys } from './sort-keys.ts'
import { inTurns } from '../turns.ts'

/** The clips of a segment in which a query is spoken. */
export interface Found extends Counted {
  segment: Segment
  keys: SortKeys
}

/** Looks a query up in all segments of its language. A long search yields to other requests. */
export async function searchSegments(query: Query, release: Release, cache: SegmentCache): Promise<Found[]> {
  const found: Found[] = []
  for (const segment of release.sentences.get(query.language) ?? []) {
    const keys = await sortKeysOf(segment, release)
    const tokens = await openTerms(query, segment, release, cache)
    const lists = tokens.map((some) => some.map(({ list }) => list))
    const clips = { positions: segment.positions, levels: keys.levels }
    found.push({ segment, keys, ...(await inTurns(countRuns(lists, clips))) })
  }
  return found
}
