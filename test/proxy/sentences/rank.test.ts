import fc from 'fast-check'
import { expect, test } from 'vitest'
import { levels } from '#contract/levels.ts'
import { rankPage } from '#proxy/sentences/rank.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import { clipTableOf, someClipEntry } from '../../harness/clip-table.ts'

interface FoundClip {
  clipId: string
  level: number
  count: number
}

/** Few beginnings, so that many ids differ only behind their first 32 bits. */
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

test('each page is that of a plain sort by level, count descending and clip id', () => {
  const page = fc.record({
    levelMask: fc.integer({ min: 1, max: 63 }),
    start: fc.nat({ max: 45 }),
    limit: fc.integer({ min: 1, max: 20 }),
  })
  fc.assert(
    fc.property(someClips, page, (clips, { levelMask, start, limit }) => {
      const rows = Uint32Array.from(clips.keys())
      const found = {
        rows,
        counts: Uint32Array.from(clips, ({ count }) => count),
        clips: rows,
        starts: [0],
      }
      const inOrder = [...clips.entries()]
        .filter(([, { level }]) => ((levelMask >> level) & 1) === 1)
        .sort(([, a], [, b]) => a.level - b.level || b.count - a.count || (a.clipId < b.clipId ? -1 : 1))
        .map(([place]) => place)
      const ranked = rankPage(found, tableOf(clips), { levelMask, start, limit })
      expect(ranked).toEqual({
        places: inOrder.slice(start, start + limit),
        totalCount: inOrder.length,
      })
    }),
    { seed: 9, numRuns: 300 },
  )
})
