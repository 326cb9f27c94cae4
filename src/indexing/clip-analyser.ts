import type { MessagePort } from 'node:worker_threads'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { Analyser } from '#language/analysers/analyser.ts'
import { analyserInfo, openAnalyser, type AnalyserInfo } from '#language/analysers/open-analyser.ts'
import { analyserBehind } from '#language/analysers/sudachi-client.ts'
import type { TokenisedCue } from './tokenise.ts'
import { packWords, unpackWords } from './pack-words.ts'
import { attachWords } from './attach-words.ts'
import { addSpellings, noSpellings, ownSpellings, type OwnSpellings } from './own-spellings.ts'
import { vocabularyOf } from './vocabulary.ts'

/** The words that an analyser found in a clip, as the state keeps them. */
export interface KeptWords {
  analyser: string
  words: string
}

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
  #spellings: OwnSpellings | undefined

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
   * Analyses a clip, or takes the words that were kept, if they are of the same version of the
   * analyser or if its package is not installed. Gives the words to keep, or null.
   */
  analyse(cues: readonly TokenisedCue[], kept: KeptWords | null): KeptWords | null {
    const { version, isKept } = this.#info
    if (kept && (version === null || version === kept.analyser)) {
      this.#unpack(cues, kept.words)
      return kept
    }
    if (version === null || this.#words.length === 0) return null
    findWords(this.#open(), cues)
    if (!isKept) return null
    const words = packWords(cues)
    // Tonight's index is made of the packed words, too, as on every later night.
    for (const { tokens } of cues) for (const token of tokens) delete token.words
    this.#unpack(cues, words)
    return { analyser: version, words }
  }

  #unpack(cues: readonly TokenisedCue[], words: string): void {
    unpackWords(cues, words)
    this.#spellings ??=
      this.#info.version === null ? noSpellings : ownSpellings(this.#language, this.#words, this.#open())
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

function findWords(analyser: Analyser, cues: readonly TokenisedCue[]): void {
  if ('analyse' in analyser) {
    const found = analyser.analyse(cues.map(({ text }) => text))
    for (const [i, cue] of cues.entries()) attachWords(cue, found[i]!)
    return
  }
  for (const { text, tokens } of cues)
    for (const [i, words] of analyser.wordsOf(tokens, text).entries()) if (words) tokens[i]!.words = words
}
