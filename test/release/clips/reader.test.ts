import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FeedClip } from '#contract/clip.ts'
import { levels } from '#contract/levels.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { clipOpening, numberNames } from '#release/clips/layout.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { type ClipEntry, ClipTableWriter, type Focus } from '#release/clips/writer.ts'
import { openTable } from '#release/table-file.ts'
import { clipNumbers, someClipEntry } from '../../harness/clip-table.ts'
import { rowOf } from '../../harness/opened.ts'

const digest = (i: number) => Buffer.alloc(12, i).toString('base64url')

/** A clip as added has the word of its number, 1.5 s in, in B2. */
function open(
  writer: ClipTableWriter,
  ordinals: Record<string, number>,
  focusOf: (added: number) => Focus[] = (added) => [
    null,
    null,
    { entryAt: added, tStartMs: 1500 },
    null,
    null,
  ],
): ClipTable {
  const pieces = writer.finish(ordinals, focusOf)
  return new ClipTable(new Uint8Array(Buffer.concat(pieces)), 'clips.bin')
}

/** The whole record, as JSON. */
function recordOf(table: ClipTable, row: number): string {
  const out = new ByteWriter()
  out.text(clipOpening)
  table.writeRecordRest(out, row)
  return out.view().toString()
}

const someText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('","channel":{"id":"', '"channel":', ',"language":', ',', '\\', '\u2028', '{"channel":'),
)
/** Few enough for clips to have theirs in common. */
const someChannel = fc.record({ id: fc.constantFrom('UC1', 'UC2'), name: fc.constant('Kitchen') })
const someClip = fc.record({
  clipId: fc.uuid(),
  videoId: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  title: someText,
  language: fc.constantFrom('en', 'tr', 'zz'),
  level: fc.constantFrom(...levels),
  durationS: fc.oneof(fc.constantFrom(7, 8), fc.integer({ min: 1, max: 180 })),
  channel: fc.oneof(someChannel, fc.record({ id: someText, name: someText })),
})

test('every clip comes back byte for byte, by its id and by its video', () => {
  const unique = fc
    .uniqueArray(someClip, { selector: ({ videoId }) => videoId, maxLength: 30 })
    .filter((clips) => new Set(clips.map(({ clipId }) => clipId)).size === clips.length)
  fc.assert(
    fc.property(
      unique,
      fc.constantFrom('https://v/{}', '{}', 'a{}a{}', 'https://none/'),
      (sources, template) => {
        const writer = new ClipTableWriter()
        const ordinals: Record<string, number> = {}
        const clips = sources.map((source): FeedClip => {
          const url = template.replaceAll('{}', source.videoId)
          return { ...source, embedUrl: url, watchUrl: `${url}?` }
        })
        const kept = clips.map((clip, i) => {
          // Every other ordinal is that of a withdrawn clip.
          const ordinal = (ordinals[clip.language] ?? 0) + 1
          ordinals[clip.language] = ordinal + 1
          const entry: ClipEntry = {
            clip,
            ...clipNumbers((number) => i * 1000 + number),
            indexedAtMs: 1_772_366_400_123 + i,
            ordinal,
            revision: i + 1,
            recordDigest: digest(i),
            transcriptDigest: digest(i + 100),
          }
          writer.add(entry)
          return entry
        })
        const table = open(writer, ordinals)
        const carrying = new ClipTableWriter()
        for (const [i, clip] of clips.entries()) {
          const row = table.find(clip.clipId.toUpperCase())
          expect(table.find(clip.videoId)).toBe(row)
          expect(table.find(clip.clipId)).toBe(row)
          expect(table.clip(row)).toEqual(clip)
          expect(table.revision(row)).toBe(i + 1)
          expect(table.placeOf(row)).toEqual({ language: clip.language, ordinal: kept[i]!.ordinal })
          expect(table.facets.channelId(table.facets.channelOf(row))).toBe(clip.channel.id)
          carrying.carry(table, row)
          const suffix = i === 0 ? '' : `.${i + 1}`
          expect(rowOf(table, row)).toMatchObject({
            ordinal: kept[i]!.ordinal,
            record: { path: `data/clips/${clip.clipId}${suffix}.json`, digest: digest(i) },
            transcript: { path: `data/transcripts/${clip.clipId}${suffix}.json`, digest: digest(i + 100) },
            focus: [null, null, [i, 1.5], null, null],
          })
          expect(levels[table.level(row)]).toBe(clip.level)
          expect(table.durationS(row)).toBe(clip.durationS)
          for (const [number, name] of numberNames.entries())
            expect(table.number(row, name)).toBe(i * 1000 + number)
          expect(recordOf(table, row)).toBe(
            JSON.stringify({
              ...clip,
              wordCount: i * 1000,
              indexedAt: new Date(1_772_366_400_123 + i).toISOString(),
            }),
          )
        }
        expect(table.find('none')).toBe(-1)
        expect(table.find('00000000-0000-0000-0000-000000000000')).toBe(-1)
        expect([...table.liveRows()]).toHaveLength(clips.length)
        const carried = open(carrying, ordinals, (added) => [
          { entryAt: added + 7, tStartMs: 250 },
          null,
          null,
          null,
          { entryAt: added + 8, tStartMs: 0 },
        ])
        for (const [added, clip] of clips.entries()) {
          const row = carried.find(clip.clipId)
          expect(recordOf(carried, row)).toBe(recordOf(table, row))
          const { focus: _, ...rest } = rowOf(table, row)
          expect(rowOf(carried, row)).toMatchObject(rest)
          expect(carried.placeOf(row)).toEqual(table.placeOf(row))
          expect(carried.facets.channelId(carried.facets.channelOf(row))).toBe(clip.channel.id)
          expect([carried.level(row), carried.durationS(row)]).toEqual([
            table.level(row),
            table.durationS(row),
          ])
          expect(rowOf(carried, row).focus).toEqual([[added + 7, 0.25], null, null, null, [added + 8, 0]])
        }
      },
    ),
    { numRuns: 100, seed: 3 },
  )
})

const someEntry = someClipEntry(0)

test.each<[string, { clip?: Partial<FeedClip>; revision?: number }, RegExp]>([
  ['its id is not a UUID', { clip: { clipId: 'x' } }, /its id must have 36 characters, it has 1$/],
  ['its video id is too long', { clip: { videoId: 'v'.repeat(256) } }, /at most 255 characters, it has 256$/],
  ['it has had too many records', { revision: 65_536 }, /must have at most 65535 records, it has 65536$/],
])('a clip is refused where %s', (_, { clip, revision = 1 }, message) => {
  const entry = { ...someEntry, clip: { ...someEntry.clip, ...clip }, revision }
  expect(() => new ClipTableWriter().add(entry)).toThrow(message)
})

test('clips that are carried out of two tables and clips that are added share their texts, each once', () => {
  const clip = (i: number, language: string, durationS: number, channel: string): FeedClip => ({
    ...someEntry.clip,
    clipId: `0f3c5a52-7a0e-5b1c-9d64-0f5a2f7f9b${10 + i}`,
    videoId: `v${i}`,
    title: `"${i}",`,
    language,
    durationS,
    channel: { id: channel, name: 'x' },
  })
  const clips = [
    clip(0, 'en', 7, 'a'),
    clip(1, 'en', 8, 'a'),
    clip(2, 'tr', 7, 'b'),
    clip(3, 'en', 7, 'b'),
    clip(4, 'en', 8, 'c'),
    clip(5, 'tr', 7, 'c'),
  ]
  const entries = clips.map((clip, ordinal): ClipEntry => ({ ...someEntry, clip, ordinal }))
  const ordinals = { en: clips.length, tr: clips.length }
  const tableOf = (some: readonly ClipEntry[]) => {
    const writer = new ClipTableWriter()
    for (const entry of some) writer.add(entry)
    return open(writer, ordinals)
  }
  const [first, second] = [tableOf(entries.slice(0, 2)), tableOf(entries.slice(2, 4))]
  const writer = new ClipTableWriter()
  for (const table of [first, second]) for (const row of table.liveRows()) writer.carry(table, row)
  for (const entry of entries.slice(4)) writer.add(entry)
  const pieces = writer.finish(ordinals, () => [null, null, null, null, null])
  const bytes = new Uint8Array(Buffer.concat(pieces))
  const table = new ClipTable(bytes, 'clips.bin')
  for (const clip of clips) expect(table.clip(table.find(clip.clipId))).toEqual(clip)
  // A tail for each channel.
  expect(openTable(bytes, 'clips', 'clips.bin').u32('tailAt')).toHaveLength(3)
})

test('a filter lets through just the clips of its levels and channels that are short enough', () => {
  const unique = fc
    .uniqueArray(someClip, { selector: ({ videoId }) => videoId, maxLength: 30 })
    .filter((clips) => new Set(clips.map(({ clipId }) => clipId)).size === clips.length)
  const filter = fc.record({
    wanted: fc.subarray([...levels]),
    channelIds: fc.option(fc.subarray(['UC1', 'UC2', 'none', ''])),
    maxDurationS: fc.integer({ min: 1, max: 180 }),
  })
  fc.assert(
    fc.property(unique, filter, (clips, { wanted, channelIds, maxDurationS }) => {
      const writer = new ClipTableWriter()
      for (const [ordinal, clip] of clips.entries()) {
        const full = { ...someEntry.clip, ...clip, language: 'en' }
        writer.add({ ...someEntry, clip: full, ordinal: ordinal * 2 })
      }
      const table = open(writer, { en: clips.length * 2 + 1 })
      const levelMask = levels.reduce((mask, level, i) => mask | (wanted.includes(level) ? 1 << i : 0), 0)
      const numbers = channelIds?.map((id) => table.facets.channel(id))
      const channels = numbers ? new Set(numbers) : null
      const accepted = Array.from({ length: clips.length * 2 + 1 }, (_, row) => row).filter((row) =>
        table.facets.accepts(row, { levelMask, channels, maxDurationS }),
      )
      const expected = clips.flatMap(({ level, durationS, channel }, i) =>
        wanted.includes(level) &&
        durationS <= maxDurationS &&
        (channelIds === null || channelIds.includes(channel.id))
          ? [i * 2]
          : [],
      )
      expect(accepted).toEqual(expected)
    }),
    { numRuns: 200, seed: 5 },
  )
})
