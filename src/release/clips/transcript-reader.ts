import type { Cue, TranscriptWord } from '#contract/transcript.ts'
import { partitionPoint } from '#kit/lower-bound.ts'

/** When a cue starts and ends, in seconds. */
type CueTimes = Pick<Cue, 'tStart' | 'tEnd'>

/** The fields of a word that lists need. */
export type TimedWord = Pick<TranscriptWord, 'text' | 'tStart' | 'tEnd' | 'start' | 'end'>

/** A token, by its cue and its index in it. */
export interface CueToken {
  cue: number
  inCue: number
}

/** How cues, their texts, their words, each word and its times begin in the JSON. */
const cueOpening = '{"tStart":'
const textOpening = ',"text":"'
const wordsOpening = ',"words":['
const wordOpening = '{"text":'
const wordTimeOpening = ',"tStart":'
/** Matches the beginning of a cue, up to its times. */
const timesForm = /\{"tStart":([^,]+),"tEnd":([^,]+),/y
/** Matches the fields of a word after its text, up to its position. */
const wordForm = /,"tStart":([^,]+),"tEnd":([^,}]+)(?:,"start":(\d+),"end":(\d+))?/y

/**
 * Reads cues of a published transcript one by one, because a list shows few of them, and parsing a
 * whole transcript takes 200 µs.
 *
 * The JSON of a transcript contains no spaces, and the fields have the order of the contract. So
 * each `{"tStart":` starts a cue, each `,"words":[` its words, and each `{"text":` a word, because
 * a quotation mark in a string follows a backslash.
 */
export class TranscriptReader {
  readonly #bytes: Buffer
  /** The JSON with one character for each byte, because it can be searched faster than bytes. */
  readonly #byteText: string
  readonly #cuesEnd: number
  /** Where each cue begins, as far as cues have been read; `#cuesEnd` behind the last one. */
  readonly #starts: number[] = []
  /** The number of tokens before each cue, as far as they have been counted. */
  readonly #tokensBefore = [0]
  /** The start of the first token that has not been counted; −1 if there is none. */
  #nextToken: number
  readonly #times: (CueTimes | undefined)[] = []
  readonly #texts: (string | undefined)[] = []
  readonly #wordStarts: (number[] | undefined)[] = []
  readonly #words: (TranscriptWord[] | undefined)[] = []

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#byteText = bytes.toString('latin1')
    this.#cuesEnd = this.#byteText.lastIndexOf(']}') + 1
    this.#nextToken = this.#byteText.indexOf(wordOpening)
  }

  get sizeBytes(): number {
    return this.#bytes.length
  }

  /** Whether there are more cues than `index`. No later cue is looked for. */
  hasCue(index: number): boolean {
    return this.#start(index) < this.#cuesEnd
  }

  /** Where a cue begins; for the number of cues, where the last one ends. */
  #start(index: number): number {
    const starts = this.#starts
    while (starts.length <= index) {
      const next = this.#byteText.indexOf(cueOpening, (starts.at(-1) ?? 0) + 1)
      starts.push(next < 0 ? this.#cuesEnd : next)
    }
    return starts[index]!
  }

  /** When a cue starts and ends. Takes less time than to parse its line. */
  times(index: number): CueTimes {
    return (this.#times[index] ??= this.#readTimes(index))
  }

  #readTimes(index: number): CueTimes {
    timesForm.lastIndex = this.#start(index)
    const [, tStart, tEnd] = timesForm.exec(this.#byteText)!
    return { tStart: Number(tStart), tEnd: Number(tEnd) }
  }

  /** The text of a cue, which is not parsed unless it has escapes. */
  text(index: number): string {
    return (this.#texts[index] ??= this.#plainText(index) ?? this.#line(index).text)
  }

  /** The text up to the first quotation mark; null if there is a backslash before that. */
  #plainText(index: number): string | null {
    const start = this.#byteText.indexOf(textOpening, this.#start(index)) + textOpening.length
    const text = this.#textBetween(start, this.#byteText.indexOf('"', start))
    return text.includes('\\') ? null : text
  }

  translations(index: number): Cue['translations'] {
    // A brace ends them. A quotation mark ends the text.
    return this.#byteText[this.#wordsStart(index) - 1] === '}' ? this.#line(index).translations : undefined
  }

  /** Returns a cue without its words. Parsing them takes five times as long. */
  #line(index: number): Omit<Cue, 'words'> {
    const json = `${this.#textBetween(this.#start(index), this.#wordsStart(index))}}`
    return JSON.parse(json) as Omit<Cue, 'words'>
  }

  words(index: number): TranscriptWord[] {
    return (this.#words[index] ??= JSON.parse(
      this.#textBetween(this.#wordsStart(index) + wordsOpening.length - 1, this.#wordsEnd(index)),
    ) as TranscriptWord[])
  }

  /** A word of a cue, by its place in it; a negative place counts from the last word. */
  word(index: number, inCue: number): TimedWord {
    const starts = this.#startsOfWords(index)
    const place = inCue < 0 ? starts.length + inCue : inCue
    const textStart = starts[place]! + wordOpening.length
    // No text contains this, because a quotation mark in a text follows a backslash.
    const textEnd = this.#byteText.indexOf(wordTimeOpening, textStart)
    wordForm.lastIndex = textEnd
    const [, tStart, tEnd, start, end] = wordForm.exec(this.#byteText)!
    const text = this.#textBetween(textStart + 1, textEnd - 1)
    return {
      text: text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text,
      tStart: Number(tStart),
      tEnd: Number(tEnd),
      ...(start !== undefined && { start: Number(start), end: Number(end) }),
    }
  }

  /** The places in a cue of the words that start at a time, in seconds. No word is parsed. */
  placesAt(index: number, tStart: number): number[] {
    const text = this.#byteText
    const time = `${wordTimeOpening}${tStart},`
    const places: number[] = []
    for (const [place, start] of this.#startsOfWords(index).entries())
      if (text.startsWith(time, text.indexOf(wordTimeOpening, start))) places.push(place)
    return places
  }

  #startsOfWords(index: number): number[] {
    return (this.#wordStarts[index] ??= this.#findWords(index))
  }

  #findWords(index: number): number[] {
    const end = this.#wordsEnd(index)
    const starts: number[] = []
    let at = this.#byteText.indexOf(wordOpening, this.#start(index))
    for (; at >= 0 && at < end; at = this.#byteText.indexOf(wordOpening, at + 1)) starts.push(at)
    return starts
  }

  hasWords(index: number): boolean {
    return this.#wordsStart(index) + wordsOpening.length + 1 < this.#wordsEnd(index)
  }

  #wordsStart(index: number): number {
    return this.#byteText.indexOf(wordsOpening, this.#start(index))
  }

  /**
   * A brace ends the cue. A comma separates it from the next one; a bracket follows the last one.
   */
  #wordsEnd(index: number): number {
    return this.#start(index + 1) - 2
  }

  #textBetween(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end)
  }

  /** Returns the place of a token, by its number across all cues. */
  tokenAt(number: number): CueToken {
    const before = this.#tokensBefore
    while (before.at(-1)! <= number && this.hasCue(before.length - 1))
      before.push(before.at(-1)! + this.#countTokens(before.length - 1))
    const next = partitionPoint(0, before.length, (cue) => before[cue]! <= number)
    return { cue: next - 1, inCue: number - before[next - 1]! }
  }

  /** Returns the number of tokens of the first cue that has not been counted. */
  #countTokens(cue: number): number {
    const end = this.#start(cue + 1)
    let at = this.#nextToken
    let tokens = 0
    for (; at >= 0 && at < end; at = this.#byteText.indexOf(wordOpening, at + 1)) tokens++
    this.#nextToken = at
    return tokens
  }
}
