import { caseKey } from '../lower-case.ts'
import type { Vocabulary } from './analyser.ts'
import { readLists } from './data-file.ts'
import { readRules, type WordSets } from './inflection-rules.ts'

export type RomanceLanguage = 'es' | 'pt'

export const isInRomanceList = readLists('romance-words.txt')

/**
 * The sets of forms in rules/es.txt and rules/pt.txt. If a token is a form of several headwords,
 * only those of the lowest rank count: Spanish "casas" belongs to "casa", not to "caso" or "casar".
 */
const ranks = { plural: 0, sure: 1, likely: 1, subjunctive: 2, feminine: 3 }
type FormSet = keyof typeof ranks

interface Reading {
  headword: string
  set: FormSet
}

/** Returns text without acute, grave, circumflex and tilde on vowels; ñ, ç and ü stay. */
function withoutAccents(text: string): string {
  const letters = text.normalize('NFD').replace(/(?<=[aeiou])[\u0300-\u0303]/gi, '')
  return letters.normalize('NFC')
}

/** Returns a text without accents, and with n and c for ñ and ç: mañana, typed manana. */
function inPlainLetters(text: string): string {
  return withoutAccents(text).replaceAll('ñ', 'n').replaceAll('ç', 'c')
}

/** Matches Portuguese endings that no word has without the tilde: não, mãe. */
const nasalEnding = /(?:ã[eo]|õe)s?$/

/**
 * The forms of the headwords of a Romance language. A form that is a headword itself is only that,
 * unless the rules mark it as certainly a form: Spanish "para" is the preposition, not a form of
 * "parar", but "hace" is hacer.
 */
export class RomanceForms {
  readonly #language: RomanceLanguage
  readonly #rules: ReturnType<typeof readRules>
  readonly #headwordKeys: ReadonlySet<string>
  /** Headwords that differ only by accents. Portuguese "a" is never a form of "á". */
  readonly #twins: ReadonlySet<string>
  readonly #readingsByForm = new Map<string, Reading[]>()
  /** The verbs of forms with attached pronouns, keyed by form without accents. */
  readonly #verbsByHost = new Map<string, Set<string>>()
  /** The headwords and forms with accents, keyed by their spelling without accents. */
  readonly #accentedKeys = new Map<string, string[]>()

  constructor(language: RomanceLanguage, { headwords, has }: Vocabulary) {
    this.#language = language
    this.#rules = readRules(`rules/${language}.txt`)
    const keys = headwords.map((headword) => caseKey(headword, language))
    this.#headwordKeys = new Set(keys)
    const byPlainKey = Map.groupBy(keys, withoutAccents)
    this.#twins = new Set([...byPlainKey.values()].filter(({ length }) => length > 1).flat())
    for (const headword of headwords) this.#addForms(headword, has)
    for (const key of new Set([...this.#headwordKeys, ...this.#readingsByForm.keys()])) {
      const plain = inPlainLetters(key)
      if (plain !== key) this.#accentedKeys.getOrInsertComputed(plain, () => []).push(key)
    }
  }

  #addForms(headword: string, isHeadword: Vocabulary['has']): void {
    const forms = this.#rules.apply({ word: [headword] })
    const hosts = hostsIn(forms)
    for (const host of hosts) this.#verbsByHost.getOrInsertComputed(host, () => new Set()).add(headword)
    // Only mover has forms, not moverse.
    if (hosts.length > 0 && headword.endsWith('rse') && isHeadword(headword.slice(0, -2))) return
    for (const set of Object.keys(ranks) as FormSet[])
      for (const form of forms[set] ?? []) {
        const key = caseKey(form, this.#language)
        if (!this.#isRare(key, form, headword))
          this.#readingsByForm.getOrInsert(key, []).push({ headword, set })
      }
  }

  /** Whether a form rarely has this meaning, which is then ignored. */
  #isRare(key: string, form: string, headword: string): boolean {
    const lists = this.#headwordKeys.has(key) ? ['rare', 'rareHeadword'] : ['rare']
    return lists.some((list) => isInRomanceList(`${this.#language}.${list}`, `${form}_${headword}`))
  }

  isHeadword(key: string): boolean {
    return this.#headwordKeys.has(key)
  }

  /** Returns the possible words of a token. `isVerb` means that it is a verb here. */
  wordsOf(token: string, isVerb: boolean): readonly string[] {
    const key = caseKey(token, this.#language)
    const headwords = new Set(this.#readings(key, isVerb).map(({ headword }) => headword))
    const isItself = this.#twins.has(key) || (headwords.size > 0 && this.#headwordKeys.has(key))
    return isItself ? [key, ...headwords] : [...headwords]
  }

  /** Returns the headwords of verbs in a token with attached pronouns. */
  verbsIn(token: string): string[] {
    const hosts = hostsIn(this.#rules.apply({ token: [token] }))
    return [...new Set(hosts.flatMap((host) => [...(this.#verbsByHost.get(host) ?? [])]))]
  }

  /**
   * Returns the headwords of a token typed without its accents: también, typed tambien. Short words
   * are too often other words: de is not dé.
   */
  withAccents(token: string): string[] {
    if (inPlainLetters(token) !== token) return []
    const allKeys = this.#accentedKeys.get(token) ?? []
    const accentedKeys = token.length < 4 ? allKeys.filter((key) => nasalEnding.test(key)) : allKeys
    const headwords = accentedKeys.filter((key) => this.#headwordKeys.has(key))
    if (headwords.length > 0) return headwords
    // Feminines are derived from any noun: vincula is not a form of vínculo.
    const readings = accentedKeys.flatMap((key) => this.#readings(key, false))
    const likely = lowestOf(readings.filter(({ set }) => set !== 'feminine'))
    return [...new Set(likely.map(({ headword }) => headword))]
  }

  /** Whether a word is a form that only verbs have, and not a participle. */
  isFinite(key: string): boolean {
    const isVerb = this.#readings(key, false).some(({ set }) => isVerbal(set))
    return isVerb && !this.#headwordKeys.has(key) && !/(?:[aií]d|[cs]t|rt)[oa]s?$/.test(key)
  }

  byHeadword(): Map<string, string[]> {
    const forms = new Map<string, string[]>()
    for (const form of this.#readingsByForm.keys())
      for (const { headword } of this.#readings(form, false)) forms.getOrInsert(headword, []).push(form)
    return forms
  }

  #readings(key: string, isVerb: boolean): Reading[] {
    const isHeadword = this.#headwordKeys.has(key)
    const all = this.#readingsByForm.get(key) ?? []
    return lowestOf(all.filter(({ set }) => !isHeadword || set === 'sure' || (isVerb && isVerbal(set))))
  }
}

function lowestOf(readings: readonly Reading[]): Reading[] {
  const lowest = Math.min(...readings.map(({ set }) => ranks[set]))
  return readings.filter(({ set }) => ranks[set] === lowest)
}

function isVerbal(set: FormSet): boolean {
  return set === 'sure' || set === 'likely' || set === 'subjunctive'
}

/** Returns the forms of a verb to which pronouns are attached, without accents. */
function hostsIn({ host = [] }: WordSets): string[] {
  return [...host].map(withoutAccents)
}
