import type { MessagePort } from 'node:worker_threads'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { Analyser } from '#language/analysers/analyser.ts'
import { analyserInfo, openAnalyser, type AnalyserInfo } from '#language/analysers/open-analyser.ts'
import { analyserBehind } from '#language/analysers/sudachi-client.ts'
import type { TokenisedCue } from './index-clip.ts'
import { packWords, unpackWords } from './pack-words.ts'
import { attachWords } from './attach-words.ts'
import { vocabularyOf } from './vocabulary.ts'

/** What an analyser said of a clip, to be kept with it. */
export interface KeptWords {
  analyser: string
  words: string
}

/**
 * Gives the tokens of clips of one language the words that its analyser finds. It is opened with
 * the first clip.
 */
export class ClipAnalyser {
  readonly #language: string
  readonly #words: readonly CatalogueWord[]
  readonly #info: AnalyserInfo | null
  readonly #port: MessagePort | undefined
  #analyser: Analyser | undefined

  /**
   * `port` leads to the thread that owns the dictionary of Japanese; without it, this thread opens
   * its own.
   */
  constructor(language: string, words: readonly CatalogueWord[], port?: MessagePort) {
    this.#language = language
    this.#words = words
    this.#info = analyserInfo(language)
    this.#port = port
  }

  /**
   * Analyses a clip, or takes what is kept of it where the analyser says the same or is not
   * installed. Gives what is to be kept from now on; null where nothing is.
   */
  analyse(cues: readonly TokenisedCue[], kept: KeptWords | null): KeptWords | null {
    const { version, isKept } = this.#info ?? { version: null, isKept: false }
    if (kept && (version === null || version === kept.analyser)) {
      unpackWords(cues, kept.words)
      return kept
    }
    if (version === null || this.#words.length === 0) return null
    this.#analyser ??= this.#open()
    const found = this.#analyser.analyse(cues.map(({ text }) => text))
    for (const [i, cue] of cues.entries()) attachWords(cue, found[i]!)
    if (!isKept) return null
    const words = packWords(cues)
    // Taken from what is kept, so that the clip is indexed tonight as on every other night.
    for (const { tokens } of cues) for (const token of tokens) delete token.words
    unpackWords(cues, words)
    return { analyser: version, words }
  }

  #open(): Analyser {
    if (this.#language === 'ja' && this.#port) return analyserBehind(this.#port)
    return openAnalyser(this.#language, vocabularyOf(this.#words, this.#language))
  }
}
