import { shortDigest } from '#kit/digest.ts'
import type { SegmentEntry } from '#release/sentences/layout.ts'
import { SegmentWriter, type SegmentClip, type Speech } from '#release/sentences/writer.ts'
import { takeLines } from './spool.ts'

/** A segment of the sentence index: the range of its ordinals, counted from 0. */
export interface SegmentRange {
  language: string
  range: number
}

/** A segment, and what the build needs of it: what the cache keeps. */
export interface BuiltSegment {
  entry: SegmentEntry
  /** Of its files, in the order of `segmentPaths`. */
  digests: string[]
  /** The forms that each word was heard in, by word id. */
  heard: [wordId: number, forms: string[]][]
}

/**
 * The buckets of the spool that a range is divided into, of which a worker that builds a segment
 * has one in memory at a time.
 */
const bucketsARange = 32

/**
 * The bucket of a clip, whose line is a JSON array of it as its segment shows it and of what is
 * said in it. `ordinals` is how many a range has.
 */
export function speechBucket(language: string, ordinal: number, ordinals: number): string {
  return `${language}.${Math.floor((ordinal * bucketsARange) / ordinals)}`
}

/** Builds a segment of what the spools of all workers hold of its range. */
export function makeSegment(
  spoolFolder: string,
  { language, range }: SegmentRange,
  workers: number,
  ordinals: number,
): { made: BuiltSegment; files: Uint8Array[] } {
  const writer = new SegmentWriter(language, range * ordinals)
  const heard = new Map<number, Set<string>>()
  for (let bucket = range * bucketsARange; bucket < (range + 1) * bucketsARange; bucket++) {
    const lines = takeLines(spoolFolder, `${language}.${bucket}`, workers)
    const clips = Array.from(
      lines,
      (line) => JSON.parse(Buffer.from(line, 'latin1').toString()) as [SegmentClip, Speech],
    )
    for (const [clip, speech] of clips.sort(([a], [b]) => a.ordinal - b.ordinal)) {
      writer.add(clip, speech)
      const { forms } = speech
      for (let i = 0; i < forms.length; i += 2)
        heard.getOrInsertComputed(forms[i] as number, () => new Set()).add(forms[i + 1] as string)
    }
  }
  const { entry, files } = writer.finish()
  const forms = Array.from(heard, ([wordId, said]): [number, string[]] => [wordId, [...said]])
  return { made: { entry, digests: files.map(shortDigest), heard: forms }, files }
}
