import { shortDigest } from '#kit/digest.ts'
import type { SegmentEntry } from '#release/sentences/layout.ts'
import { SegmentWriter } from '#release/sentences/writer.ts'
import { takeSpeech } from './spool.ts'

/** The ordinals of a segment of the sentence index: a language, and the number of the range. */
export interface SegmentRange {
  language: string
  range: number
}

export interface BuiltSegment {
  entry: SegmentEntry
  /** The digests of its files, in the order of `segmentPaths`. */
  digests: string[]
  /** The forms in which each word is spoken, by word id. */
  spokenForms: [wordId: number, forms: string[]][]
}

/** The number of spool buckets in a range. A worker has one of them in memory at a time. */
const bucketsPerRange = 32

/** Returns the spool bucket of a clip's speech. `ordinals` is their number in a range. */
export function speechBucket(language: string, ordinal: number, ordinals: number): string {
  return `${language}.${Math.floor((ordinal * bucketsPerRange) / ordinals)}`
}

/** Builds the segment of a range from the data that all workers have written to the spool. */
export function buildSegment(
  spoolFolder: string,
  { language, range }: SegmentRange,
  workers: readonly number[],
  ordinals: number,
): { segment: BuiltSegment; files: Uint8Array[] } {
  const writer = new SegmentWriter(language, range * ordinals)
  const spokenForms = new Map<number, Set<string>>()
  for (let bucket = range * bucketsPerRange; bucket < (range + 1) * bucketsPerRange; bucket++) {
    const clips = [...takeSpeech(spoolFolder, `${language}.${bucket}`, workers)]
    for (const { speech, ...clip } of clips.sort((a, b) => a.ordinal - b.ordinal)) {
      writer.add(clip, speech)
      const { forms } = speech
      for (let i = 0; i < forms.length; i += 2)
        spokenForms.getOrInsertComputed(forms[i] as number, () => new Set()).add(forms[i + 1] as string)
    }
  }
  const { entry, files } = writer.finish()
  const forms = Array.from(spokenForms, ([wordId, ofWord]): [number, string[]] => [wordId, [...ofWord]])
  return { segment: { entry, digests: files.map(shortDigest), spokenForms: forms }, files }
}
