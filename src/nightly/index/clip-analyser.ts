import type { MessagePort } from 'node:worker_threads'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type {
  AnalysedWord,
  Analyser,
  Reading,
  TextAnalysis,
  TokenWord,
  Vocabulary,
} from '#language/analysers/analyser.ts'
import { kana } from '#language/analysers/kana-readings.ts'
import { analyserInfo, openAnalyser, type AnalyserInfo } from '#language/analysers/open-analyser.ts'
import { analyserBehind } from '#language/analysers/sudachi-client.ts'
import { caseKey } from '#language/lower-case.ts'
import { placeTokens, type Place } from '#language/place-tokens.ts'
import type { Token, TokenisedCue } from './tokenise.ts'
import { restoreWords, wordsToStore, type StoredWords } from './stored-words.ts'
import { addSpellings, noSpellings, headwordSpellings, type HeadwordSpellings } from './headword-spellings.ts'

/** Assigns to tokens in one language the words of its analyser, which the first clip opens. */
export class ClipAnalyser {
  readonly #language: string
  readonly #words: readonly CatalogueWord[]
  readonly #info: AnalyserInfo
  readonly #port: MessagePort | undefined
  #analyser: Analyser | undefined
  #spellings: HeadwordSpellings | undefined

  /** `port` leads to the thread with the Japanese dictionary. Without it, this thread opens one. */
  constructor(language: string, words: readonly CatalogueWord[], port?: MessagePort) {
    this.#language = language
    this.#words = words
    this.#info = analyserInfo(language)
    this.#port = port
  }

  /**
   * Analyses a clip, or restores its stored words, if they are of the same version of the analyser
   * or if its package is not installed. Returns the words to store, or null. With `withReadings`,
   * tokens also get their readings.
   */
  analyse(
    cues: readonly TokenisedCue[],
    storedWords: StoredWords | null,
    withReadings = false,
  ): StoredWords | null {
    const { version, isKept } = this.#info
    if (storedWords && (version === null || version === storedWords.analyser)) {
      this.#restore(cues, storedWords.words)
      return storedWords
    }
    if (version === null || this.#words.length === 0) return null
    findWords(this.#open(), cues, this.#language, withReadings)
    if (!isKept) return null
    const words = wordsToStore(cues)
    // The stored words are restored at once, so that this index is the same as on later nights.
    this.#restore(cues, words)
    return { analyser: version, words }
  }

  #restore(cues: readonly TokenisedCue[], words: StoredWords['words']): void {
    restoreWords(cues, words)
    this.#spellings ??=
      this.#info.version === null ? noSpellings : headwordSpellings(this.#language, this.#words, this.#open())
    addSpellings(cues, this.#language, this.#spellings)
  }

  #open(): Analyser {
    this.#analyser ??=
      this.#language === 'ja' && this.#port
        ? analyserBehind(this.#port)
        : openAnalyser(this.#language, vocabularyOf(this.#words, this.#language))
    return this.#analyser
  }
}

/** A letter that keyboards of other languages lack. */
const markedLetter = /[^\P{L}A-Za-z]|\p{M}/u

function findWords(
  analyser: Analyser,
  cues: readonly TokenisedCue[],
  language: string,
  withReadings: boolean,
): void {
  if ('analyse' in analyser) {
    const texts = cues.map(({ text }) => text)
    const analyses = analyser.analyse(texts, withReadings)
    for (const [i, cue] of cues.entries()) attachAnalysis(cue, analyses[i]!, language)
    return
  }
  const isUnmarked = !cues.some(({ text }) => markedLetter.test(text))
  for (const { text, tokens } of cues)
    for (const [i, words] of analyser.wordsOf(tokens, text, isUnmarked).entries())
      if (words) tokens[i]!.words = words
}

export function vocabularyOf(words: readonly CatalogueWord[], language: string): Vocabulary {
  const spellings = new Set<string>()
  for (const { word, forms } of words)
    for (const text of [word, ...forms]) spellings.add(caseKey(text, language))
  return { headwords: words.map(({ word }) => word), has: (text) => spellings.has(caseKey(text, language)) }
}

/**
 * Assigns to the tokens of a cue the words and readings that an analyser found in its text. The
 * boundaries of tokens and words may differ: a word belongs to the token in which it starts, and a
 * token inside a longer word has none. A token that the text does not contain after the previous
 * one is matched by spelling.
 */
export function attachAnalysis(cue: TokenisedCue, { words, readings }: TextAnalysis, language: string): void {
  const keys = cue.tokens.map(({ text }) => caseKey(text, language))
  const places = placeTokens(cue.text, keys, language)
  let next = 0
  for (const [i, place] of places.entries()) {
    if (!place) continue
    const token = cue.tokens[i]!
    const reading = readingOf(token.text, place, readings)
    if (reading !== null) token.reading = reading
    const wordsHere: TokenWord[] = []
    while (next < words.length && words[next]!.start < place.start) next++
    while (next < words.length && words[next]!.start < place.end)
      wordsHere.push(toTokenWord(words[next++]!, i, places, cue.text))
    token.words = wordsHere
  }
  // A token outside all words is matched by its spelling.
  for (const [i, token] of cue.tokens.entries())
    if (token.words?.length === 0 && !isInside(cue.tokens, i)) delete token.words
}

/**
 * Joins the readings of the parts of a token. Returns null for a token in kana, and for one that
 * the parts do not cover exactly.
 */
function readingOf(text: string, { start, end }: Place, readings: readonly Reading[]): string | null {
  if (kana.test(text)) return null
  const parts = readings.filter((part) => part.start < end && part.end > start)
  const isExact = parts[0]?.start === start && parts.at(-1)!.end === end
  const isWhole = parts.every((part, i) => i === 0 || part.start === parts[i - 1]!.end)
  return isExact && isWhole ? parts.map((part) => part.reading).reduce(joinReadings) : null
}

/** 女儿 is nǚ'ér: in pinyin, an apostrophe stands before a syllable that begins with a vowel. */
function joinReadings(reading: string, part: string): string {
  const isVowel = /^[aoe]/.test(part.normalize('NFD'))
  return reading + (isVowel ? "'" : '') + part
}

function toTokenWord(
  { start, end, lemmas, isFunctionWord }: AnalysedWord,
  i: number,
  places: readonly (Place | null)[],
  text: string,
): TokenWord {
  let length = 1
  while (places[i + length] && places[i + length]!.start < end) length++
  const isToken = length === 1 && start === places[i]!.start && end === places[i]!.end
  const word = { length, lemmas, isFunctionWord }
  if (isToken) return word
  const endsInside = length > 1 && end < places[i + length - 1]!.end
  return { ...word, spelling: text.slice(start, end), ...(endsInside && { endsInside }) }
}

/** Whether a token is inside a word that starts before it. */
function isInside(tokens: readonly Token[], i: number): boolean {
  for (let from = i - 1; from >= 0 && tokens[from]!.words; from--) {
    if (tokens[from]!.words!.some(({ length }) => from + length > i)) return true
    if (tokens[from]!.words!.length > 0) return false
  }
  return false
}
