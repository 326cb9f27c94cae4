import fc from 'fast-check'
import { expect, test } from 'vitest'
import { levels } from '#contract/levels.ts'
import { rankPage } from '#proxy/sentences/rank.ts'
import { PartPath, type Found } from '#proxy/sentences/search.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import type { Release } from '#release/release.ts'
import { clipTableOf, someClipEntry } from '../../harness/clip-table.ts'
import { faultRounds } from '../../harness/fault-rounds.ts'
import { segmentOf } from '../../harness/segment.ts'

type FoundClip = { clipId: string; level: number; count: number }

/** Few different prefixes, so that many ids differ only after their first 32 bits. */
const someId = fc
  .tuple(fc.constantFrom('00000000', '09af09af', '7fffffff', '80000000', 'ffffffff'), fc.uuid())
  .map(([beginning, uuid]) => beginning + uuid.slice(8))
const someClips = fc.uniqueArray(
  fc.record({ clipId: someId, level: fc.nat({ max: 5 }), count: fc.constantFrom(1, 2, 3, 500) }),
  { selector: ({ clipId }) => clipId, maxLength: 40, size: 'max' },
)

function tableOf(clips: readonly FoundClip[]): ClipTable {
  return clipTableOf(
    clips.map(({ clipId, level }, ordinal) => someClipEntry(ordinal, { clipId, level: levels[level]! })),
  )
}

/** Returns a release with only these clips, which were all found in one segment. */
function releaseOf(clips: readonly FoundClip[]): { release: Release; found: Found } {
  const release = { clips: tableOf(clips) } as unknown as Release
  const { segment } = segmentOf(clips.map(({ clipId }) => ({ said: [], clipId })))
  const counts = Int32Array.from(clips, ({ count }) => count)
  return {
    release,
    found: { segment, path: new PartPath([], 0), clips: Int32Array.from(clips.keys()), counts },
  }
}

test('each page equals that of a plain sort by level, count descending and clip id', () => {
  const page = fc.record({
    levelMask: fc.integer({ min: 1, max: 63 }),
    start: fc.nat({ max: 45 }),
    limit: fc.integer({ min: 1, max: 20 }),
  })
  fc.assert(
    fc.property(someClips, page, (clips, { levelMask, start, limit }) => {
      const { release, found } = releaseOf(clips)
      const inOrder = [...clips.entries()]
        .filter(([, { level }]) => ((levelMask >> level) & 1) === 1)
        .sort(([, a], [, b]) => a.level - b.level || b.count - a.count || (a.clipId < b.clipId ? -1 : 1))
        .map(([place]) => place)
      const { hits, totalCount } = rankPage([found], release, { levelMask, start, limit })
      expect(hits.map(({ clip }) => clip)).toEqual(inOrder.slice(start, start + limit))
      expect(totalCount).toBe(inOrder.length)
    }),
    { seed: 9, numRuns: faultRounds(300) },
  )
})
