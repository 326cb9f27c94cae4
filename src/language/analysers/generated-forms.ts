import { caseKey } from '../lower-case.ts'
import { withoutAccents } from './accents.ts'
import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import type { TokenWord } from './token-word.ts'

/**
 * Gives the forms of a headword by kind, the most reliable kind first. If a token is a form of
 * several headwords, only the most reliable kind counts: Spanish "casas" belongs to "casa", not to
 * "caso" or "casar".
 */
export type FormsOf = (headword: string) => readonly Iterable<string>[]

/**
 * The headwords of each form that rules derive. A form that the catalogue has itself, as a headword
 * or a listed form, is not derived: Spanish "para" is the preposition, not a form of "parar". Only
 * the forms in `alwaysForms` count for both: Portuguese "é" is also a form of "ser".
 */
export class GeneratedForms {
  readonly #language: string
  readonly #byForm = new Map<string, { kind: number; headwords: string[] }>()
  /** Headwords that differ only by accents. Portuguese "a" is never a form of "á". */
  readonly #twins: ReadonlySet<string>
  readonly #headwords: ReadonlySet<string>

  constructor(
    language: string,
    { headwords, has }: Vocabulary,
    formsOf: FormsOf,
    alwaysForms: ReadonlySet<string>,
  ) {
    this.#language = language
    const keys = headwords.map((headword) => caseKey(headword, language))
    this.#headwords = new Set(keys)
    const byLetters = Map.groupBy(keys, withoutAccents)
    this.#twins = new Set([...byLetters.values()].filter(({ length }) => length > 1).flat())
    for (const headword of headwords) {
      for (const [kind, forms] of formsOf(headword).entries())
        for (const form of forms)
          if (!has(form) || alwaysForms.has(form)) this.#add(caseKey(form, language), kind, headword)
    }
  }

  wordsOf(token: string): readonly string[] {
    const key = caseKey(token, this.#language)
    const found = this.#byForm.get(key)?.headwords ?? []
    const isItself = this.#twins.has(key) || (found.length > 0 && this.#headwords.has(key))
    return isItself ? [key, ...found] : found
  }

  isHeadword(token: string): boolean {
    return this.#headwords.has(caseKey(token, this.#language))
  }

  byHeadword(): Map<string, string[]> {
    const forms = new Map<string, string[]>()
    for (const [form, { headwords }] of this.#byForm)
      for (const headword of headwords) forms.getOrInsert(headword, []).push(form)
    return forms
  }

  #add(form: string, kind: number, headword: string): void {
    const known = this.#byForm.get(form)
    if (!known || known.kind > kind) this.#byForm.set(form, { kind, headwords: [headword] })
    else if (known.kind === kind && !known.headwords.includes(headword)) known.headwords.push(headword)
  }
}

/** The tokens before and after a token, in lower case; empty at the ends of a cue. */
export interface Neighbours {
  before: string
  after: string
}

/** Makes an analyser of a function that gives the headwords that a token may be a form of. */
export function byToken(
  language: string,
  headwordsOf: (token: string, neighbours: Neighbours) => readonly string[],
): TokenAnalyser {
  return byLemmas(language, (token, neighbours) =>
    headwordsOf(token, neighbours).map((headword) => [headword]),
  )
}

/** Does the same with several lemmas, most likely first, for each word that a token may be. */
export function byLemmas(
  language: string,
  lemmasOf: (token: string, neighbours: Neighbours) => readonly (readonly string[])[],
): TokenAnalyser {
  return {
    wordsOf(tokens) {
      const keys = tokens.map(({ text }) => caseKey(text, language))
      return tokens.map(({ text }, i) =>
        tokenWords(lemmasOf(text, { before: keys[i - 1] ?? '', after: keys[i + 1] ?? '' })),
      )
    },
  }
}

/** The words of a token, of which each has its lemmas; undefined for none. */
export function tokenWords(words: readonly (readonly string[])[]): TokenWord[] | undefined {
  if (words.length === 0) return undefined
  return words.map((lemmas) => ({ length: 1, lemmas, isFunctionWord: false }))
}
