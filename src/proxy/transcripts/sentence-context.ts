import type { Gloss } from '#contract/glosses.ts'
import type { ContextFields } from '#contract/sentence-context.ts'
import { codePointLength } from '#kit/code-points.ts'
import type { Place } from '#language/place-tokens.ts'
import { sentenceEnd } from '#language/sentence-end.ts'
import { isUnspaced, separatorOf } from '#language/unspaced.ts'
import type { CueToken, TranscriptReader } from '#release/clips/transcript-reader.ts'
import { tokenPlaces, type SpokenRun } from './token-places.ts'

/**
 * The maximum length. A longer sentence, as in captions without punctuation, is replaced by cues.
 */
const maxCharacters = 200

/**
 * Returns the sentence that contains an occurrence, and the sentences beside it (contract 1.6).
 *
 * Parses only the cues around the occurrence, twice as many each time, until they contain the three
 * sentences.
 */
export function sentenceContext(
  transcript: TranscriptReader,
  run: SpokenRun,
  language: string,
  gloss: Gloss,
): ContextFields {
  for (let reach = 2; ; reach *= 2) {
    const from = Math.max(0, run.first.cue - reach)
    let to = run.last.cue + 1
    while (to <= run.last.cue + reach && transcript.hasCue(to)) to++
    const window = new CueWindow(transcript, from, to, run, language)
    const context = window.contextOf(gloss)
    if (context) return context
  }
}

/** A token, or all tokens of a cue, with the position in the joined text, in UTF-16 units. */
interface PlacedToken extends CueToken, Place {
  /** The last token; −1 stands for the last one of the cue. */
  lastInCue: number
}

/** A part of the joined text, and the tokens in it, at least one. */
interface Part extends Place {
  tokens: PlacedToken[]
}

/** Neighbouring cues of a transcript, with their texts joined. */
class CueWindow {
  readonly #transcript: TranscriptReader
  readonly #run: SpokenRun
  readonly #from: number
  readonly #texts: string[]
  readonly #isFirst: boolean
  readonly #isLast: boolean
  /** The position at which each cue starts in the text. */
  readonly #cueStarts: number[] = []
  readonly #tokens: PlacedToken[] = []
  readonly #text: string
  /** The first and the last one may continue outside. */
  readonly #sentences: Part[]

  constructor(transcript: TranscriptReader, from: number, to: number, run: SpokenRun, language: string) {
    this.#transcript = transcript
    this.#run = run
    this.#from = from
    this.#isFirst = from === 0
    this.#isLast = !transcript.hasCue(to)
    this.#texts = Array.from({ length: to - from }, (_, i) => transcript.text(from + i))
    let text = ''
    for (const [i, cueText] of this.#texts.entries()) {
      if (i > 0) text += separatorOf(language)
      this.#cueStarts.push(text.length)
      text += cueText
      this.#placeTokens(from + i)
    }
    this.#text = text
    this.#sentences = sentencesOf(text, this.#tokens, language)
  }

  #placeTokens(cue: number): void {
    const start = this.#startOf(cue)
    const text = this.#textOf(cue)
    const end = endBeforeMarks(text)
    if (end !== null) {
      if (!this.#transcript.hasWords(cue)) return
      this.#tokens.push({ cue, inCue: 0, lastInCue: -1, start: start + end, end: start + end })
      return
    }
    const places = tokenPlaces(text, this.#transcript.words(cue))
    // A token that the text does not show stands behind the one before it.
    let last = 0
    for (const [inCue, place] of places.entries()) {
      const { start: tokenStart, end: tokenEnd } = place ?? { start: last, end: last }
      this.#tokens.push({ cue, inCue, lastInCue: inCue, start: start + tokenStart, end: start + tokenEnd })
      last = tokenEnd
    }
  }

  /** Null if the window is too small to tell. */
  contextOf(gloss: Gloss): ContextFields | null {
    const at = this.#sentences.findIndex(({ tokens }) =>
      tokens.some((token) => includes(token, this.#run.first)),
    )
    const sentence = this.#sentences[at]!
    if (this.#isLong(at)) return this.#cuesAround(gloss)
    const before = this.#beside(at, -1)
    const after = this.#beside(at, 1)
    if (!this.#isWhole(at) || before === undefined || after === undefined) return null
    return { sentence: this.#show(sentence, gloss), before, after }
  }

  /** Whether the window shows where a sentence starts and ends. */
  #isWhole(at: number): boolean {
    return (at > 0 || this.#isFirst) && (at < this.#sentences.length - 1 || this.#isLast)
  }

  /** Returns the sentence beside another; null if there is none, undefined if it is not whole. */
  #beside(at: number, step: 1 | -1): string | null | undefined {
    const sentence = this.#sentences[at + step]
    if (!sentence) return null
    if (this.#isLong(at + step)) return this.#textOf(sentence.tokens.at(step > 0 ? 0 : -1)!.cue).trim()
    return this.#isWhole(at + step) ? trimText(this.#text, sentence) : undefined
  }

  /** Returns the cues of the occurrence instead of a long sentence, and those beside them. */
  #cuesAround(gloss: Gloss): ContextFields {
    const { first, last } = this.#run
    const [from, to] = [first.cue - this.#from, last.cue - this.#from]
    const tokens = this.#tokens.filter(({ cue }) => cue >= first.cue && cue <= last.cue)
    const part = {
      start: this.#cueStarts[from]!,
      end: this.#cueStarts[to]! + this.#texts[to]!.length,
      tokens,
    }
    return {
      sentence: this.#show(part, gloss),
      before: this.#texts[from - 1]?.trim() ?? null,
      after: this.#texts[to + 1]?.trim() ?? null,
    }
  }

  #show(part: Part, gloss: Gloss): ContextFields['sentence'] {
    const text = trimText(this.#text, part)
    const offset = this.#text.indexOf(text, part.start)
    const inText = (at: number) => codePointLength(text.slice(0, Math.max(at - offset, 0)))
    const [first, last] = [part.tokens[0]!, part.tokens.at(-1)!]
    const cues = [...new Set(part.tokens.map(({ cue }) => cue))]
    const translations = cues.map((cue) => this.#transcript.translations(cue)?.[gloss])
    const isTranslated = translations.every((translation) => translation !== undefined)
    return {
      text,
      start: inText(this.#startOf(this.#run.first.cue) + this.#run.start),
      end: inText(this.#startOf(this.#run.last.cue) + this.#run.end),
      tStart: this.#transcript.word(first.cue, first.inCue).tStart,
      tEnd: this.#transcript.word(last.cue, last.lastInCue).tEnd,
      translation: isTranslated ? translations.join(separatorOf(gloss)) : null,
    }
  }

  #startOf(cue: number): number {
    return this.#cueStarts[cue - this.#from]!
  }

  #textOf(cue: number): string {
    return this.#texts[cue - this.#from]!
  }

  /** The text at the edge of the window may belong to another sentence, but not much of it. */
  #isLong(at: number): boolean {
    const length = codePointLength(trimText(this.#text, this.#sentences[at]!))
    return length > (this.#isWhole(at) ? maxCharacters : 2 * maxCharacters)
  }
}

/** Matches characters with which each token ends, except for the apostrophe of an elision. */
const tokenCharacter = /[\p{L}\p{N}\p{M}]/u

/**
 * Returns the end of the last token if no token can follow an end mark, otherwise null. With this,
 * the words of most cues need not be parsed.
 */
function endBeforeMarks(text: string): number | null {
  const end = text.search(sentenceEnd)
  if (end < 0) return text.length
  return tokenCharacter.test(text.slice(end)) ? null : end
}

/** Whether it is the token, or all tokens of its cue. */
function includes({ cue, inCue, lastInCue }: PlacedToken, token: CueToken): boolean {
  return cue === token.cue && (lastInCue < 0 || inCue === token.inCue)
}

function trimText(text: string, { start, end }: Place): string {
  return text.slice(start, end).trim()
}

/**
 * Divides a text into sentences. A sentence ends between two tokens if the text between them
 * contains an end mark: after the last mark and any closing quotes or brackets directly after it.
 */
function sentencesOf(text: string, tokens: readonly PlacedToken[], language: string): Part[] {
  const parts: Part[] = []
  let part: Part = { start: 0, end: text.length, tokens: [] }
  for (const [i, token] of tokens.entries()) {
    part.tokens.push(token)
    const next = tokens[i + 1]
    const end = endOfSentence(text, token.end, next?.start ?? text.length, language)
    if (end === null) continue
    parts.push({ ...part, end })
    part = { start: end, end: text.length, tokens: [] }
  }
  return part.tokens.length > 0 ? [...parts, part] : parts
}

const endMark = new RegExp(sentenceEnd, 'gu')

/** Matches closing quotes and brackets. */
const closing = /[\p{Pe}\p{Pf}"'＂＇]*/uy
/** Matches closing marks; in languages with spaces, “ and ‘ close, too, after an end mark. */
const closingWithSpaces = /[\p{Pe}\p{Pf}\p{Pi}"']*/uy

/** Returns the position at which a sentence ends between two tokens, or null. */
function endOfSentence(text: string, from: number, to: number, language: string): number | null {
  // Most gaps are one space.
  if (to - from === 1 && text[from] === ' ') return null
  let last = -1
  endMark.lastIndex = from
  while (endMark.test(text) && endMark.lastIndex <= to) last = endMark.lastIndex
  if (last < 0) return null
  const close = isUnspaced(language) ? closing : closingWithSpaces
  close.lastIndex = last
  close.test(text)
  return Math.min(close.lastIndex, to)
}
