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
const endOpening = ',"tEnd":'
const wordOpening = '{"text":'

/**
 * Reads cues of a published transcript one by one. A list shows a few cues of each transcript,
 * and to parse a whole one takes 200 µs.
 *
 * The JSON of a transcript contains no spaces, and the fields have the order of the contract. So
 * each `{"tStart":` begins a cue, and each `{"text":` a word: within a string, there would be a
 * backslash before the quotation mark.
 */
export class TranscriptReader {
  readonly #text: string
  /** Where each cue begins, and where the text ends. */
  readonly #starts: number[] = []
  /** How many tokens there are before each cue, and in all. */
  readonly #tokensBefore: number[] = []
  readonly #cues: (Cue | undefined)[] = []

  /** @param text the JSON, as a byte text */
  constructor(text: string) {
    this.#text = text
    let tokens = 0
    for (let at = text.indexOf('{"t'); at >= 0; at = text.indexOf('{"t', at + 1)) {
      if (text.startsWith(wordOpening, at)) tokens++
      if (!text.startsWith(cueOpening, at)) continue
      this.#starts.push(at)
      this.#tokensBefore.push(tokens)
    }
    this.#starts.push(text.lastIndexOf(']}') + 1)
    this.#tokensBefore.push(tokens)
  }

  get cueCount(): number {
    return this.#starts.length - 1
  }

  cue(index: number): Cue {
    // What separates a cue from the next is one comma; what ends the last is one bracket.
    const json = () => this.#text.slice(this.#starts[index], this.#starts[index + 1]! - 1)
    return (this.#cues[index] ??= JSON.parse(Buffer.from(json(), 'latin1').toString()) as Cue)
  }

  /** When a cue starts and ends, in seconds. Takes less time than to parse the cue. */
  times(index: number): { tStart: number; tEnd: number } {
    const from = this.#starts[index]! + cueOpening.length
    const to = this.#text.indexOf(',', from)
    const endFrom = to + endOpening.length
    return {
      tStart: Number(this.#text.slice(from, to)),
      tEnd: Number(this.#text.slice(endFrom, this.#text.indexOf(',', endFrom))),
    }
  }

  /** Where a token is, by its number across all cues. */
  tokenAt(number: number): CueToken {
    const next = partitionPoint(0, this.cueCount, (cue) => this.#tokensBefore[cue]! <= number)
    return { cue: next - 1, inCue: number - this.#tokensBefore[next - 1]! }
  }
}
