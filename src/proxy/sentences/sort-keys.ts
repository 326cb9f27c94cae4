import { setImmediate } from 'node:timers/promises'
import type { Release } from '#release/release.ts'
import type { Segment } from '#release/sentences/reader.ts'

/** What the clips of a segment are sorted by; each array has an element for each clip. */
export interface SortKeys {
  /** The rank of its level, 0 for A1; `gone` if the release does not hold this record of it. */
  levels: Uint8Array
  /** The first 32 bits of its id. */
  ids: Uint32Array
  /** The row of the clip with the ordinal 0. */
  base: number
}

/** The clip was withdrawn, or has a later record in another segment. */
export const gone = 255

/** Reading the keys of so many clips takes about a millisecond. */
const clipsPerTurn = 10_000

const keysByRelease = new WeakMap<Release, WeakMap<Segment, Promise<SortKeys>>>()

/** The sort keys of a segment, which are read once for each release. */
export function sortKeysOf(segment: Segment, release: Release): Promise<SortKeys> {
  const bySegment = keysByRelease.getOrInsertComputed(release, () => new WeakMap())
  return bySegment.getOrInsertComputed(segment, () => readSortKeys(segment, release))
}

async function readSortKeys(segment: Segment, { clips }: Release): Promise<SortKeys> {
  const { base } = clips.rangeOf(segment.entry.language)
  const levels = new Uint8Array(segment.clipCount).fill(gone)
  const ids = new Uint32Array(segment.clipCount)
  for (let clip = 0; clip < segment.clipCount; clip++) {
    if (clip % clipsPerTurn === clipsPerTurn - 1) await setImmediate()
    const row = base + segment.ordinal(clip)
    if (!clips.isLive(row) || clips.revision(row) !== segment.revision(clip)) continue
    levels[clip] = clips.facets.level(row)
    ids[clip] = clips.clipIdPrefix(row)
  }
  return { levels, ids, base }
}
