import type { Transcript } from '#contract/transcript.ts'
import { partitionPoint } from '#kit/lower-bound.ts'

export type Cue = Transcript['cues'][number]

/** A token, by its cue and its place in it. */
export interface CueToken {
  cue: number
  inCue: number
}

/** How cues and words begin in the JSON of a transcript. */
const cueOpening = '{"tStart":'
const wordOpening = '{"text":'
/** Matches the beginning of a cue, up to its times. */
const timesForm = /^\{"tStart":([^,]+),"tEnd":([^,]+),/
const headLength = 80

/**
 * Reads cues of a published transcript one by one. A list shows a few cues of each transcript,
 * and to parse a whole one takes 200 µs.
 *
 * The JSON of a transcript contains no spaces, and the fields have the order of the contract. So
 * each `{"tStart":` begins a cue, and each `{"text":` a word: within a string, there would be a
 * backslash before the quotation mark.
 */
export class TranscriptReader {
  readonly #bytes: Buffer
  /** Where each cue begins, and where the last one ends. */
  readonly #starts: number[] = []
  /** How many tokens there are before each cue, and in all; once asked for. */
  #tokensBefore: number[] | undefined
  readonly #cues: (Cue | undefined)[] = []

  /** @param bytes the JSON */
  constructor(bytes: Buffer) {
    this.#bytes = bytes
    for (let at = bytes.indexOf(cueOpening); at >= 0; at = bytes.indexOf(cueOpening, at + 1))
      this.#starts.push(at)
    this.#starts.push(bytes.lastIndexOf(']}') + 1)
  }

  get sizeBytes(): number {
    return this.#bytes.length
  }

  get cueCount(): number {
    return this.#starts.length - 1
  }

  cue(index: number): Cue {
    return (this.#cues[index] ??= JSON.parse(this.#textOf(index)) as Cue)
  }

  /** The JSON of a cue. A comma separates it from the next; a bracket follows the last. */
  #textOf(index: number): string {
    return this.#bytes.toString('utf8', this.#starts[index], this.#starts[index + 1]! - 1)
  }

  /** When a cue starts and ends, in seconds. Takes less time than to parse the cue. */
  times(index: number): { tStart: number; tEnd: number } {
    const start = this.#starts[index]!
    const head = this.#bytes.toString('latin1', start, start + headLength)
    const [, tStart, tEnd] = timesForm.exec(head)!
    return { tStart: Number(tStart), tEnd: Number(tEnd) }
  }

  /** Where a token is, by its number across all cues. */
  tokenAt(number: number): CueToken {
    const before = (this.#tokensBefore ??= this.#countTokens())
    const next = partitionPoint(0, this.cueCount, (cue) => before[cue]! <= number)
    return { cue: next - 1, inCue: number - before[next - 1]! }
  }

  #countTokens(): number[] {
    const text = this.#bytes.toString('latin1')
    const counts: number[] = []
    let tokens = 0
    let at = text.indexOf(wordOpening)
    for (const start of this.#starts) {
      for (; at >= 0 && at < start; at = text.indexOf(wordOpening, at + 1)) tokens++
      counts.push(tokens)
    }
    return counts
  }
}
