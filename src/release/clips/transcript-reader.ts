import type { Cue, TranscriptWord } from '#contract/transcript.ts'
import { partitionPoint } from '#kit/lower-bound.ts'

/** A cue without its words. */
export type Line = Omit<Cue, 'words'>

/** A token, by its cue and its place in it. */
export interface CueToken {
  cue: number
  inCue: number
}

/** How cues, their words and each of these begin in the JSON of a transcript. */
const cueOpening = '{"tStart":'
const wordsOpening = ',"words":['
const wordOpening = '{"text":'
/** Matches the beginning of a cue, up to its times. */
const timesForm = /\{"tStart":([^,]+),"tEnd":([^,]+),/y

/**
 * Reads cues of a published transcript one by one. A list shows a few cues of each transcript,
 * and to parse a whole one takes 200 µs.
 *
 * The JSON of a transcript contains no spaces, and the fields have the order of the contract. So
 * each `{"tStart":` begins a cue, each `,"words":[` its words, and each `{"text":` a word: within a
 * string, there would be a backslash before the quotation mark.
 */
export class TranscriptReader {
  readonly #bytes: Buffer
  /** The JSON with one character for each byte, which is searched faster than bytes. */
  readonly #byteText: string
  /** Where each cue begins, and where the last one ends. */
  readonly #starts: number[] = []
  /** How many tokens there are before each cue, as far as they have been counted. */
  readonly #tokensBefore = [0]
  /** The start of the first token that has not been counted; −1 if there is none. */
  #nextToken: number
  readonly #lines: (Line | undefined)[] = []
  readonly #words: (TranscriptWord[] | undefined)[] = []

  /** @param bytes the JSON */
  constructor(bytes: Buffer) {
    this.#bytes = bytes
    const text = bytes.toString('latin1')
    this.#byteText = text
    for (let at = text.indexOf(cueOpening); at >= 0; at = text.indexOf(cueOpening, at + 1))
      this.#starts.push(at)
    this.#starts.push(text.lastIndexOf(']}') + 1)
    this.#nextToken = text.indexOf(wordOpening)
  }

  get sizeBytes(): number {
    return this.#bytes.length
  }

  get cueCount(): number {
    return this.#starts.length - 1
  }

  /** A cue without its words. To parse them takes five times as long. */
  line(index: number): Line {
    return (this.#lines[index] ??= JSON.parse(
      `${this.#textBetween(this.#starts[index]!, this.#wordsStart(index))}}`,
    ) as Line)
  }

  words(index: number): TranscriptWord[] {
    return (this.#words[index] ??= JSON.parse(
      this.#textBetween(this.#wordsStart(index) + wordsOpening.length - 1, this.#wordsEnd(index)),
    ) as TranscriptWord[])
  }

  hasWords(index: number): boolean {
    return this.#wordsStart(index) + wordsOpening.length + 1 < this.#wordsEnd(index)
  }

  #wordsStart(index: number): number {
    return this.#byteText.indexOf(wordsOpening, this.#starts[index])
  }

  /** A brace ends the cue. A comma separates it from the next; a bracket follows the last. */
  #wordsEnd(index: number): number {
    return this.#starts[index + 1]! - 2
  }

  #textBetween(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end)
  }

  /** When a cue starts and ends, in seconds. Takes less time than to parse its line. */
  times(index: number): { tStart: number; tEnd: number } {
    timesForm.lastIndex = this.#starts[index]!
    const [, tStart, tEnd] = timesForm.exec(this.#byteText)!
    return { tStart: Number(tStart), tEnd: Number(tEnd) }
  }

  /** Where a token is, by its number across all cues. */
  tokenAt(number: number): CueToken {
    const before = this.#tokensBefore
    while (before.at(-1)! <= number && before.length <= this.cueCount)
      before.push(before.at(-1)! + this.#countTokens(before.length - 1))
    const next = partitionPoint(0, before.length, (cue) => before[cue]! <= number)
    return { cue: next - 1, inCue: number - before[next - 1]! }
  }

  /** The number of tokens of the first cue that has not been counted. */
  #countTokens(cue: number): number {
    const end = this.#starts[cue + 1]!
    let at = this.#nextToken
    let tokens = 0
    for (; at >= 0 && at < end; at = this.#byteText.indexOf(wordOpening, at + 1)) tokens++
    this.#nextToken = at
    return tokens
  }
}
