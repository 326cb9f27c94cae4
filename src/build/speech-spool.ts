import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { segmentOrdinals } from '#release/sentences/layout.ts'
import type { Speech } from '#release/sentences/speech.ts'
import { SegmentWriter, type MadeSegment, type SegmentClip } from '#release/sentences/writer.ts'

/** A segment of the sentence index: the range of its ordinals, counted from 0. */
export interface SegmentRange {
  language: string
  range: number
}

/** The pieces of a range, of which a worker that builds a segment has one in memory at a time. */
const piecesARange = 8
/** How much of a piece is in memory before it goes to its file, in UTF-16 units. */
const flushLength = 1 << 18

/**
 * What is said in clips, on its way to the segments of the sentence index: added clip by clip by
 * each worker of the build, in any order, read range by range. It goes through files, one per
 * worker and piece of a range, a line for each clip.
 */
export class SpeechSpool {
  readonly #folder: string
  readonly #worker: number
  readonly #ordinals: number
  readonly #pending = new Map<string, { lines: string[]; length: number }>()

  constructor(folder: string, worker: number, ordinals = segmentOrdinals) {
    this.#folder = folder
    this.#worker = worker
    this.#ordinals = ordinals
  }

  put(language: string, clip: SegmentClip, speech: Speech): void {
    const piece = Math.floor((clip.ordinal * piecesARange) / this.#ordinals)
    const path = pathOf(this.#folder, language, piece, this.#worker)
    const pending = this.#pending.getOrInsertComputed(path, () => ({ lines: [], length: 0 }))
    // The ordinal comes first, so that lines can be sorted without being parsed.
    const line = `${clip.ordinal} ${JSON.stringify([clip, speech])}\n`
    pending.lines.push(line)
    pending.length += line.length
    if (pending.length > flushLength) this.#flush(path)
  }

  /** Writes what is in memory. */
  end(): void {
    for (const path of this.#pending.keys()) this.#flush(path)
  }

  #flush(path: string): void {
    mkdirSync(this.#folder, { recursive: true })
    appendFileSync(path, this.#pending.get(path)!.lines.join(''))
    this.#pending.delete(path)
  }
}

/**
 * Builds a segment of what the spools of all workers hold of its range. Returns with it the forms
 * that each word was heard in, by word id.
 */
export function makeSegment(
  folder: string,
  { language, range }: SegmentRange,
  workers: number,
  ordinals = segmentOrdinals,
): MadeSegment & { heard: Map<number, Set<string>> } {
  const writer = new SegmentWriter(language, range * ordinals)
  const heard = new Map<number, Set<string>>()
  for (let piece = range * piecesARange; piece < (range + 1) * piecesARange; piece++) {
    for (const text of spooledLines(folder, language, piece, workers)) {
      const [clip, speech] = JSON.parse(text) as [SegmentClip, Speech]
      writer.add(clip, speech)
      const { forms } = speech
      for (let i = 0; i < forms.length; i += 2)
        heard.getOrInsertComputed(forms[i] as number, () => new Set()).add(forms[i + 1] as string)
    }
  }
  return { ...writer.finish(), heard }
}

/** What is spooled of a piece, as JSON, by ordinal. */
function* spooledLines(folder: string, language: string, piece: number, workers: number) {
  const lines: { ordinal: number; file: Buffer; from: number; to: number }[] = []
  for (let worker = 0; worker < workers; worker++) {
    const path = pathOf(folder, language, piece, worker)
    const file = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
    for (let from = 0; from < file.length;) {
      const [blank, end] = [file.indexOf(' ', from), file.indexOf('\n', from)]
      lines.push({ ordinal: Number(file.toString('latin1', from, blank)), file, from: blank + 1, to: end })
      from = end + 1
    }
  }
  lines.sort((a, b) => a.ordinal - b.ordinal)
  for (const { file, from, to } of lines) yield file.toString('utf8', from, to)
}

/** The segment that a clip is in. */
export function rangeOf(language: string, ordinal: number, ordinals = segmentOrdinals): SegmentRange {
  return { language, range: Math.floor(ordinal / ordinals) }
}

function pathOf(folder: string, language: string, piece: number, worker: number): string {
  return join(folder, `${language}.${piece}.${worker}`)
}
