import { caseKey, plainApostrophes } from '../lower-case.ts'
import { placeTokens, type Place } from '../place-tokens.ts'
import type { SpokenToken, TokenAnalyser, TokenWord, Vocabulary } from './analyser.ts'
import { tokenWords } from './by-token.ts'

/** The origin of a form, which determines what may precede it. */
export type Kind = 'noun' | 'verb' | 'other'

/** The sets of a headword's forms: by kind, and those of a verb apart from their particle. */
export type FormSet = Kind | 'apart'

/** The forms of a headword. "fange_an" is a separated form of anfangen. */
export type Forms = Readonly<Partial<Record<FormSet, Iterable<string>>>>

const kinds = ['noun', 'verb', 'other'] as const

export interface Lexicon {
  formsOf(headword: string): Forms
  /** The words that some forms always are, each with its headword or several, the best first. */
  fixed: ReadonlyMap<string, readonly (readonly string[])[]>
  /** The kinds of word that a token can be, judging by its spelling and the tokens before it. */
  kindsAt?: ((tokens: readonly SpokenToken[], i: number) => readonly Kind[]) | undefined
  /** Whether a token cannot have a reading, even if no other is known. */
  excludes?: ((reading: Reading, tokens: readonly SpokenToken[], i: number) => boolean) | undefined
  /**
   * Divides a token with attached pronouns: returns the forms to which they may be attached, and
   * those of the pronouns that are words of their own.
   */
  partsOf(token: string): { hosts: Iterable<string>; clitics: Iterable<string> }
  /**
   * The spellings of a token whose final apostrophe may stand for an accent: perché for perche'.
   */
  withAccents(token: string): Iterable<string>
  /** The spellings of a form without its marks, as people type them: Ecole for École. */
  unmarkedSpellings(form: string): Iterable<string>
  /** Whether these count only in clips without marks, as many are other words: vag, väg. */
  needsUnmarkedClip: boolean
}

/** The minimum lengths. Shorter words without their marks are too often other words: a is not à. */
const shortestWithoutMarks = { inAnyClip: 4, inUnmarkedClip: 3 }

/** The maximum number of tokens of a listed form: fr o m. */
const mostFixedTokens = 3

/** Matches a vowel and an apostrophe that ends a word. */
const apostropheAtEnd = /[aeiou]['’‘ʼ′´`＇](?!\p{L})/iu

/** A headword that a form belongs to. */
export interface Reading {
  headword: string
  kind: Kind
  particle: string | undefined
}

/**
 * An analyser of a language by the forms of its headwords. A token that is a headword is that word;
 * any other token is a form of every headword that has it. The neighbouring tokens may decide which
 * kind of word it is.
 */
export class LexiconAnalyser implements TokenAnalyser {
  readonly #language: string
  readonly #lexicon: Lexicon
  readonly #byForm = new Map<string, Reading[]>()
  /** The forms that have marks, by their spellings without them. */
  readonly #byPlainForm = new Map<string, string[]>()

  constructor(language: string, { headwords }: Vocabulary, lexicon: Lexicon) {
    this.#language = language
    this.#lexicon = lexicon
    for (const headword of headwords) {
      const forms = lexicon.formsOf(headword)
      for (const kind of kinds)
        for (const form of forms[kind] ?? []) this.#add(form, { headword, kind, particle: undefined })
      for (const text of forms.apart ?? []) {
        const [form, particle] = text.split('_') as [string, string]
        this.#add(form, { headword, kind: 'verb', particle })
      }
      const isKnown = this.#byForm
        .get(caseKey(headword, language))
        ?.some((one) => one.headword === headword && one.particle === undefined)
      if (!isKnown) this.#add(headword, { headword, kind: 'other', particle: undefined })
    }
    const shortest = shortestWithoutMarks[lexicon.needsUnmarkedClip ? 'inUnmarkedClip' : 'inAnyClip']
    for (const form of this.#byForm.keys())
      for (const plain of lexicon.unmarkedSpellings(form))
        if (plain.length >= shortest && !this.#byForm.has(plain))
          this.#byPlainForm.getOrInsertComputed(plain, () => []).push(form)
  }

  wordsOf(tokens: readonly SpokenToken[], text: string, isUnmarked = false) {
    const mayLackMarks = isUnmarked || !this.#lexicon.needsUnmarkedClip
    const keys = this.#keysOf(tokens, text)
    return tokens.map((_, i) => {
      const fixedWords = this.#fixedWords(keys, i)
      if (fixedWords) return fixedWords
      const { readings: all, clitics } = this.#readings(keys[i]!, mayLackMarks)
      const readings = this.#likely(all, tokens, i)
      const separableVerbs = this.#separated(readings, keys, i, tokens, text)
      const headwords = separableVerbs.length > 0 ? separableVerbs : this.#headwords(readings, keys[i]!)
      return tokenWords([...new Set([...headwords, ...clitics])].map((word) => [word]))
    })
  }

  /** Returns the words that a token always is, alone or with the following tokens: t ex. */
  #fixedWords(keys: readonly string[], i: number): readonly TokenWord[] | undefined {
    for (let length = Math.min(mostFixedTokens, keys.length - i); length > 0; length--) {
      const words = this.#lexicon.fixed.get(keys.slice(i, i + length).join(' '))
      if (!words) continue
      // The catalogue may list an abbreviation itself, or its phrase.
      const [phrase = ''] = words[0] ?? []
      const candidates = phrase.includes(' ') ? [keys[i]!, phrase] : []
      const headword = candidates.find((each) => this.#byForm.has(caseKey(each, this.#language)))
      const namedWords = headword === undefined ? words : [[headword]]
      const allWords =
        length === 1 && this.#isOwnWord(keys[i]!, namedWords) ? [...namedWords, [keys[i]!]] : namedWords
      return tokenWords(allWords)?.map((word) => ({ ...word, length }))
    }
    return undefined
  }

  /**
   * Whether a key is a headword besides the words that it always is: Italian lo, beside il. If one
   * is a verb, it is not: German meinen is mein, French est is être.
   */
  #isOwnWord(key: string, words: readonly (readonly string[])[]): boolean {
    const keys = words.flat().map((headword) => caseKey(headword, this.#language))
    const kindsOf = (text: string) => {
      const readings = this.#byForm.get(text) ?? []
      return readings
        .filter(({ headword }) => caseKey(headword, this.#language) === text)
        .map(({ kind }) => kind)
    }
    const isVerb = [key, ...keys].some((each) => kindsOf(each).includes('verb'))
    return !keys.includes(key) && !isVerb && kindsOf(key).length > 0
  }

  /** Returns the keys of tokens, with the apostrophe after one or the accent that it stands for. */
  #keysOf(tokens: readonly SpokenToken[], text: string): string[] {
    const keys = tokens.map((token) => caseKey(token.text, this.#language))
    if (!apostropheAtEnd.test(text)) return keys
    const places = placeTokens(text, keys, this.#language)
    return keys.map((key, i) => {
      const end = places[i]?.end
      if (end === undefined || plainApostrophes(text.charAt(end)) !== "'") return key
      const candidates = [`${key}'`, ...this.#lexicon.withAccents(`${key}'`)]
      const isKnown = (candidate: string) => this.#lexicon.fixed.has(candidate) || this.#byForm.has(candidate)
      return candidates.find(isKnown) ?? key
    })
  }

  byHeadword(): Map<string, string[]> {
    const forms = new Map<string, string[]>()
    for (const [form, readings] of this.#byForm)
      for (const { headword, particle } of readings)
        if (particle === undefined) forms.getOrInsert(headword, []).push(form)
    return forms
  }

  /** Returns the readings of the kinds that can occur here, if there are any. */
  #likely(readings: readonly Reading[], tokens: readonly SpokenToken[], i: number): readonly Reading[] {
    const likely = this.#lexicon.kindsAt?.(tokens, i)
    const fitting = readings.filter(({ kind }) => likely?.includes(kind))
    if (fitting.length > 0) return fitting
    return readings.filter((reading) => !this.#lexicon.excludes?.(reading, tokens, i))
  }

  #headwords(readings: readonly Reading[], key: string): string[] {
    const whole = readings.filter(({ particle }) => particle === undefined).map(({ headword }) => headword)
    const sameHeadword = whole.find((headword) => caseKey(headword, this.#language) === key)
    return sameHeadword === undefined ? this.#closest(whole, key) : [sameHeadword]
  }

  /** Returns the headwords that share the most letters: psykologisk for psykologiska. */
  #closest(headwords: readonly string[], key: string): string[] {
    const sharedWithKey = (headword: string) => sharedLength(caseKey(headword, this.#language), key)
    const most = Math.max(...headwords.map(sharedWithKey))
    return headwords.filter((headword) => sharedWithKey(headword) === most)
  }

  /**
   * Returns the readings of a key, by itself or with pronouns, which cannot be attached to a noun:
   * Anna's. `mayLackMarks` tells whether the key may be a form whose marks were left out.
   */
  #readings(key: string, mayLackMarks: boolean): { readings: readonly Reading[]; clitics: Iterable<string> } {
    const readings = this.#byForm.get(key)
    if (readings && !/['-]/.test(key)) return { readings, clitics: [] }
    const { hosts, clitics } = this.#lexicon.partsOf(key)
    if (readings) {
      const isItself = readings.some(({ headword }) => caseKey(headword, this.#language) === key)
      return { readings, clitics: isItself ? [] : clitics }
    }
    const unmarkedReadings = (text: string) => (mayLackMarks ? this.#unmarkedReadings(text) : [])
    const inHosts = [...hosts].flatMap((host) => this.#byForm.get(host) ?? unmarkedReadings(host))
    const verbal = inHosts.filter(({ kind }) => kind !== 'noun')
    return verbal.length > 0
      ? { readings: verbal, clitics }
      : { readings: unmarkedReadings(key), clitics: [] }
  }

  /** Returns the readings of a key whose marks were left out: only headwords, if there are any. */
  #unmarkedReadings(key: string): readonly Reading[] {
    const readings = (this.#byPlainForm.get(key) ?? []).map((form) => ({
      all: this.#byForm.get(form)!,
      isHeadword: this.#byForm.get(form)!.some(({ headword }) => caseKey(headword, this.#language) === form),
    }))
    const headwords = readings.filter(({ isHeadword }) => isHeadword)
    return (headwords.length > 0 ? headwords : readings).flatMap(({ all }) => all)
  }

  /** Returns the verbs whose particle ends the clause. */
  #separated(
    readings: readonly Reading[],
    keys: readonly string[],
    i: number,
    tokens: readonly SpokenToken[],
    text: string,
  ): string[] {
    const apart = readings.filter(({ particle }) => particle !== undefined && keys.includes(particle, i + 1))
    if (apart.length === 0) return []
    const places = placeTokens(text, keys, this.#language)
    for (let end = i + 1; end < tokens.length && !tokens[end]!.startsSentence; end++) {
      if (!endsClause(text, places[end], places[end + 1])) continue
      const verbs = apart.filter(({ particle }) => particle === keys[end])
      if (verbs.length > 0) return verbs.map(({ headword }) => headword)
    }
    return []
  }

  #add(form: string, reading: Reading): void {
    this.#byForm.getOrInsertComputed(caseKey(form, this.#language), () => []).push(reading)
  }
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

const conjunction = /^(?:und|oder|aber|sondern|denn|als|wie|dass|ob|wenn|weil|en|of|maar|want|dat)$/i

/** Whether a clause ends after a token: at punctuation, the end, or before a conjunction. */
function endsClause(text: string, place: Place | null | undefined, next: Place | null | undefined): boolean {
  if (!place || !next) return true
  const [gap, word] = [text.slice(place.end, next.start), text.slice(next.start, next.end)]
  return /[^\s'"„“”‚’]/.test(gap) || conjunction.test(word)
}
