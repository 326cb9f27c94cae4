import type { FeedClip } from '#contract/clip.ts'
import { numberNames, type ClipNumbers } from '#release/clips/layout.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { ClipTableWriter, type ClipEntry } from '#release/clips/writer.ts'

/** A value for each number that the table stores of a clip, by its place among them. */
export function clipNumbers(valueOf: (i: number) => number): ClipNumbers {
  return Object.fromEntries(numberNames.map((name, i) => [name, valueOf(i)])) as ClipNumbers
}

/** A clip by what a test says of it; the rest is some sound value. */
export function someClipEntry(ordinal: number, clip: Partial<FeedClip> = {}): ClipEntry {
  return {
    clip: {
      clipId: `00000000-0000-5000-8000-${String(ordinal).padStart(12, '0')}`,
      videoId: `v${ordinal}`,
      title: 't',
      language: 'en',
      level: 'A1',
      durationS: 30,
      channel: { id: 'c', name: 'c' },
      embedUrl: '',
      watchUrl: '',
      ...clip,
    },
    ordinal,
    ...clipNumbers(() => 0),
    indexedAtMs: 0,
    revision: 1,
    recordDigest: 'A'.repeat(16),
    transcriptDigest: 'B'.repeat(16),
  }
}

/** A table of English clips without focus words; `count` ordinals were given. */
export function clipTableOf(entries: readonly ClipEntry[], count = entries.length): ClipTable {
  const writer = new ClipTableWriter()
  for (const entry of entries) writer.add(entry)
  const pieces = writer.finish({ en: count }, () => [null, null, null, null, null])
  return new ClipTable(new Uint8Array(Buffer.concat(pieces)), 'clips.bin')
}
