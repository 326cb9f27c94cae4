import type { MessagePort } from 'node:worker_threads'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { AnalysedWord, Analyser, TokenWord, Vocabulary } from '#language/analysers/analyser.ts'
import { analyserInfo, openAnalyser, type AnalyserInfo } from '#language/analysers/open-analyser.ts'
import { analyserBehind } from '#language/analysers/sudachi-client.ts'
import { caseKey } from '#language/lower-case.ts'
import { placeTokens, type Place } from '#language/place-tokens.ts'
import type { Token, TokenisedCue } from './tokenise.ts'
import { restoreWords, wordsToStore, type StoredWords } from './stored-words.ts'
import { addSpellings, noSpellings, headwordSpellings, type HeadwordSpellings } from './headword-spellings.ts'

/**
 * Gives the tokens of clips of one language the words that its analyser finds. The first clip opens
 * the analyser.
 */
export class ClipAnalyser {
  readonly #language: string
  readonly #words: readonly CatalogueWord[]
  readonly #info: AnalyserInfo
  readonly #port: MessagePort | undefined
  #analyser: Analyser | undefined
  #spellings: HeadwordSpellings | undefined

  /**
   * `port` leads to the thread that owns the dictionary of Japanese. Without it, this thread opens
   * a dictionary of its own.
   */
  constructor(language: string, words: readonly CatalogueWord[], port?: MessagePort) {
    this.#language = language
    this.#words = words
    this.#info = analyserInfo(language)
    this.#port = port
  }

  /**
   * Analyses a clip, or restores its stored words, if they are of the same version of the analyser
   * or if its package is not installed. Returns the words to store, or null.
   */
  analyse(cues: readonly TokenisedCue[], storedWords: StoredWords | null): StoredWords | null {
    const { version, isKept } = this.#info
    if (storedWords && (version === null || version === storedWords.analyser)) {
      this.#restore(cues, storedWords.words)
      return storedWords
    }
    if (version === null || this.#words.length === 0) return null
    findWords(this.#open(), cues, this.#language)
    if (!isKept) return null
    const words = wordsToStore(cues)
    // The stored words are restored at once, so that this index equals that of every later night.
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

function findWords(analyser: Analyser, cues: readonly TokenisedCue[], language: string): void {
  if ('analyse' in analyser) {
    const wordsByCue = analyser.analyse(cues.map(({ text }) => text))
    for (const [i, cue] of cues.entries()) attachWords(cue, wordsByCue[i]!, language)
    return
  }
  for (const { text, tokens } of cues)
    for (const [i, words] of analyser.wordsOf(tokens, text).entries()) if (words) tokens[i]!.words = words
}

/** Returns the vocabulary that an analyser needs of a language's words. */
export function vocabularyOf(words: readonly CatalogueWord[], language: string): Vocabulary {
  const spellings = new Set<string>()
  for (const { word, forms } of words)
    for (const text of [word, ...forms]) spellings.add(caseKey(text, language))
  return { headwords: words.map(({ word }) => word), has: (text) => spellings.has(caseKey(text, language)) }
}

/**
 * Gives the tokens of a cue the words that an analyser found in its text. The boundaries of tokens
 * and words may differ: a word belongs to the token that it begins in, and a token inside a longer
 * word has none. A token that the text does not hold after the one before is matched by spelling.
 */
export function attachWords(cue: TokenisedCue, words: readonly AnalysedWord[], language: string): void {
  const keys = cue.tokens.map(({ text }) => caseKey(text, language))
  const places = placeTokens(cue.text, keys, language)
  let next = 0
  for (const [i, place] of places.entries()) {
    if (!place) continue
    const token = cue.tokens[i]!
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

function toTokenWord(
  { start, end, lemmas, isFunctionWord }: AnalysedWord,
  i: number,
  places: readonly (Place | null)[],
  text: string,
): TokenWord {
  let length = 1
  while (places[i + length] && places[i + length]!.start < end) length++
  const isToken = length === 1 && start === places[i]!.start && end === places[i]!.end
  return { length, lemmas, isFunctionWord, ...(isToken ? {} : { spelling: text.slice(start, end) }) }
}

/** Whether a token is inside a word that begins before it. */
function isInside(tokens: readonly Token[], i: number): boolean {
  for (let from = i - 1; from >= 0 && tokens[from]!.words; from--) {
    if (tokens[from]!.words!.some(({ length }) => from + length > i)) return true
    if (tokens[from]!.words!.length > 0) return false
  }
  return false
}
