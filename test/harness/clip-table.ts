import type { FeedClip } from '#contract/clip.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { packTermVector } from '#release/clips/term-vector.ts'
import { ClipTableWriter, type ClipEntry } from '#release/clips/writer.ts'
import { joinPieces } from './join-pieces.ts'

/** Returns a clip with the values of a test; the other values are valid ones. */
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
    wordCount: 0,
    indexedAtMs: 0,
    revision: 1,
    recordDigest: 'A'.repeat(16),
    transcriptDigest: 'B'.repeat(16),
    terms: new Uint8Array(),
  }
}

/** Returns a table of English clips, in the order of ordinals, all with the same words. */
export function clipTableOf(
  entries: readonly ClipEntry[],
  count = entries.length,
  termVector = packTermVector([], []),
): ClipTable {
  const writer = new ClipTableWriter({ en: count })
  for (const entry of entries) writer.add(entry)
  const bytes = joinPieces(writer.finish(() => ({ focus: [], termVector })))
  return new ClipTable(bytes, 'clips.bin')
}
