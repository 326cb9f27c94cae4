import fc from 'fast-check'
import { expect, test } from 'vitest'
import { levels } from '#contract/levels.ts'
import { rankPage } from '#proxy/sentences/rank.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { ClipTableWriter } from '#release/clips/writer.ts'

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
  const writer = new ClipTableWriter()
  for (const [ordinal, { clipId, level }] of clips.entries()) {
    const named = { clipId, videoId: `v${ordinal}`, title: 't', language: 'en', channel: {} }
    const shown = { level: levels[level]!, durationS: 60, channelId: 'c', wordCount: 0, indexedAtMs: 0 }
    const record = { revision: 1, recordDigest: 'A'.repeat(16), transcriptDigest: 'A'.repeat(16) }
    writer.add({ ...named, ...shown, ...record, ordinal, json: JSON.stringify(named) })
  }
  const pieces = writer.finish({ en: clips.length }, () => [null, null, null, null, null])
  return new ClipTable(new Uint8Array(Buffer.concat(pieces)), 'clips.bin')
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
