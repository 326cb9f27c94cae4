import fc from 'fast-check'
import { expect, test } from 'vitest'
import { levels } from '#contract/levels.ts'
import { toByteText } from '#kit/byte-text.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { packTermVector, TermVectorReader } from '#release/clips/term-vector.ts'
import { type ClipEntry, ClipTableWriter, type ClipWords } from '#release/clips/writer.ts'
import { someClipEntry } from '../../harness/clip-table.ts'
import { rowOf } from '../../harness/opened.ts'
import { joinPieces } from '../../harness/join-pieces.ts'

const digest = (i: number) => Buffer.alloc(12, i).toString('base64url')

/** Each clip has the word in its term vector, 1.5 s in, in B2. */
const wordsOf = (termVector: Uint8Array): ClipWords => {
  const word = Number(Buffer.from(termVector).toString())
  const term = { word, aloneCount: 1, tStartMs: 1500, occurrenceCount: 3, runLength: 2, tokensBefore: 1 }
  return {
    focus: [null, null, { number: word, tStartMs: 1500 }, null, null],
    termVector: packTermVector([term], []),
  }
}

/** Opens the table of clips, which are first sorted by language and ordinal. */
function open(entries: readonly ClipEntry[], ordinals: Record<string, number>): ClipTable {
  const writer = new ClipTableWriter(ordinals)
  const key = ({ clip, ordinal }: ClipEntry) => `${clip.language} ${String(ordinal).padStart(9, '0')}`
  for (const entry of entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))) writer.add(entry)
  return new ClipTable(joinPieces(writer.finish(wordsOf)), 'clips.bin')
}

const someText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('","channel":{"id":"', '"channel":', ',"language":', ',', '\\', '\u2028', '{"channel":'),
)
/** Few enough that clips share them. */
const someChannel = fc.record({ id: fc.constantFrom('UC1', 'UC2'), name: fc.constant('Kitchen') })
const someClip = fc.record({
  clipId: fc.uuid(),
  videoId: fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
    fc.constantFrom('e', 'videoId', 'embedUrl', 'https'),
  ),
  title: someText,
  language: fc.constantFrom('en', 'tr', 'zz'),
  level: fc.constantFrom(...levels),
  durationS: fc.oneof(fc.constantFrom(7, 8), fc.integer({ min: 1, max: 180 })),
  channel: fc.oneof(someChannel, fc.record({ id: someText, name: someText })),
})

test('returns every clip byte for byte, by its id and by its video', () => {
  const unique = fc
    .uniqueArray(someClip, { selector: ({ videoId }) => videoId, maxLength: 30 })
    .filter((clips) => new Set(clips.map(({ clipId }) => clipId)).size === clips.length)
  fc.assert(
    fc.property(unique, (sources) => {
      const ordinals: Record<string, number> = {}
      const entries = sources.map((source, i): ClipEntry => {
        // Every other ordinal belongs to a withdrawn clip.
        const ordinal = (ordinals[source.language] ?? 0) + 1
        ordinals[source.language] = ordinal + 1
        return {
          clip: {
            ...source,
            embedUrl: `https://v/${source.videoId}`,
            watchUrl: i % 2 ? '?' : `$&?v=${source.videoId}`,
          },
          wordCount: i * 1000,
          indexedAtMs: 1_772_366_400_123 + i,
          ordinal,
          revision: i + 1,
          recordDigest: digest(i),
          transcriptDigest: digest(i + 100),
          terms: Buffer.from(String(i + 1000)),
        }
      })
      const table = open(entries, ordinals)
      for (const [i, { clip, ordinal }] of entries.entries()) {
        const row = table.find(clip.clipId.toUpperCase())
        expect(table.find(clip.videoId)).toBe(row)
        expect(table.find(clip.clipId)).toBe(row)
        expect(table.findClip(clip.clipId)).toBe(row)
        expect(table.findClip(clip.clipId, (other) => other !== row)).toBe(-1)
        expect(table.json(row)).toBe(toByteText(JSON.stringify(clip)))
        expect(table.revision(row)).toBe(i + 1)
        const suffix = i === 0 ? '' : `.${i + 1}`
        expect(rowOf(table, row)).toMatchObject({
          ordinal,
          record: { path: `data/clips/${clip.clipId}${suffix}.json`, digest: digest(i) },
          transcript: { path: `data/transcripts/${clip.clipId}${suffix}.json`, digest: digest(i + 100) },
          focus: [null, null, [i + 1000, 1.5], null, null],
        })
        const terms = new TermVectorReader()
        table.readTerms(row, terms)
        expect([terms.nextFirst(), terms.words[terms.place], terms.tStartMs]).toEqual([true, i + 1000, 1500])
        expect([terms.occurrenceCount, terms.runLength, terms.tokensBefore]).toEqual([3, 2, 1])
        expect(terms.nextFirst()).toBe(false)
        expect(levels[table.level(row)]).toBe(clip.level)
        expect(table.durationS(row)).toBe(clip.durationS)
        const more = { wordCount: i * 1000, indexedAt: new Date(1_772_366_400_123 + i).toISOString() }
        expect(table.recordJson(row)).toBe(toByteText(JSON.stringify({ ...clip, ...more })))
      }
      expect(table.find('none')).toBe(-1)
      for (const { videoId } of sources) expect(table.find(`${videoId}","title`)).toBe(-1)
      expect(table.find('00000000-0000-0000-0000-000000000000')).toBe(-1)
      expect([...table.liveRows()]).toHaveLength(entries.length)
    }),
    { numRuns: 100, seed: 3 },
  )
})

test('does not find a video whose id looks like a clip id as that clip', () => {
  const [one, other] = [someClipEntry(0), someClipEntry(1)]
  const table = open([one, { ...other, clip: { ...other.clip, videoId: one.clip.clipId } }], { en: 2 })
  expect(table.find(one.clip.clipId)).toBe(0)
  expect(open([{ ...other, clip: { ...other.clip, videoId: one.clip.clipId } }], { en: 2 })).toSatisfy(
    (alone: ClipTable) => alone.find(one.clip.clipId) === 1 && alone.findClip(one.clip.clipId) === -1,
  )
})

test('a filter accepts just the clips of its levels and channels that are short enough', () => {
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
      const some = someClipEntry(0)
      const entries = clips.map((clip, i) => ({
        ...some,
        clip: { ...some.clip, ...clip, language: 'en' },
        ordinal: i * 2,
      }))
      const table = open(entries, { en: clips.length * 2 + 1 })
      const levelMask = levels.reduce((mask, level, i) => mask | (wanted.includes(level) ? 1 << i : 0), 0)
      const numbers = channelIds?.map((id) => table.channel(id))
      const channels = numbers ? new Set(numbers) : null
      const accepted = Array.from({ length: clips.length * 2 + 1 }, (_, row) => row).filter((row) =>
        table.accepts(row, { levelMask, channels, maxDurationS }),
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
