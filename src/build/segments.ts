import { segmentOrdinals } from '#release/sentences/layout.ts'
import type { Speech } from '#release/sentences/speech.ts'
import { SegmentWriter, type MadeSegment, type SegmentClip } from '#release/sentences/writer.ts'
import { takeLines } from './spool.ts'

/** A segment of the sentence index: the range of its ordinals, counted from 0. */
export interface SegmentRange {
  language: string
  range: number
}

/** The segment that a clip is in. */
export function rangeOf(language: string, ordinal: number, ordinals = segmentOrdinals): SegmentRange {
  return { language, range: Math.floor(ordinal / ordinals) }
}

/**
 * The buckets of the spool that a range is divided into, of which a worker that builds a segment
 * has one in memory at a time.
 */
const bucketsARange = 8

/** The bucket of a clip, and what is said in it as a line of the spool. */
export function speechLine(
  language: string,
  clip: SegmentClip,
  speech: Speech,
  ordinals = segmentOrdinals,
): [bucket: string, line: string] {
  const bucket = Math.floor((clip.ordinal * bucketsARange) / ordinals)
  return [`${language}.${bucket}`, `${clip.ordinal} ${JSON.stringify([clip, speech])}`]
}

/**
 * Builds a segment of what the spools of all workers hold of its range. Returns with it the forms
 * that each word was heard in, by word id.
 */
export function makeSegment(
  spoolFolder: string,
  { language, range }: SegmentRange,
  workers: number,
  ordinals = segmentOrdinals,
): MadeSegment & { heard: Map<number, Set<string>> } {
  const writer = new SegmentWriter(language, range * ordinals)
  const heard = new Map<number, Set<string>>()
  for (let bucket = range * bucketsARange; bucket < (range + 1) * bucketsARange; bucket++) {
    const lines = [...takeLines(spoolFolder, `${language}.${bucket}`, workers)]
    for (const { bytes, from, to } of lines.sort((a, b) => a.number - b.number)) {
      const [clip, speech] = JSON.parse(bytes.toString('utf8', from, to)) as [SegmentClip, Speech]
      writer.add(clip, speech)
      const { forms } = speech
      for (let i = 0; i < forms.length; i += 2)
        heard.getOrInsertComputed(forms[i] as number, () => new Set()).add(forms[i + 1] as string)
    }
  }
  return { ...writer.finish(), heard }
}
