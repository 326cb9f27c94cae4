import { caseKey } from '../lower-case.ts'
import { withoutAccents } from './accents.ts'
import type { TokenAnalyser } from './analyser.ts'
import type { TokenWord } from './token-word.ts'

/** Forms of a headword. */
export interface Forms {
  forms: Iterable<string>
  /**
   * If a token is a form of several headwords, only those of the lowest rank count: Spanish "casas"
   * belongs to "casa", not to "caso" or "casar".
   */
  rank: number
  /** Whether they count even where they are headwords themselves, as "fez" is a hat and fazer. */
  isSure: boolean
  isVerb: boolean
}

/**
 * The headwords of each form that rules derive. A form that is a headword itself is only that,
 * unless the derived form is sure: Spanish "para" is the preposition, not a form of "parar", but
 * "hace" is hacer.
 */
export class GeneratedForms {
  readonly #language: string
  readonly #byForm = new Map<string, { rank: number; headwords: string[] }>()
  /** The headwords of forms that are headwords themselves, where that is not sure. */
  readonly #unsure = new Map<string, string[]>()
  /** Headwords that differ only by accents. Portuguese "a" is never a form of "á". */
  readonly #twins: ReadonlySet<string>
  readonly #headwords: ReadonlySet<string>

  /** `rare` are readings that are hardly ever meant, as `InflectionTable` has them. */
  constructor(
    language: string,
    headwords: readonly string[],
    formsOf: (headword: string) => readonly Forms[],
    rare: ReadonlyMap<string, 'always' | 'headword'>,
  ) {
    this.#language = language
    const keys = headwords.map((headword) => caseKey(headword, language))
    this.#headwords = new Set(keys)
    const byLetters = Map.groupBy(keys, withoutAccents)
    this.#twins = new Set([...byLetters.values()].filter(({ length }) => length > 1).flat())
    for (const headword of headwords) {
      for (const { forms, rank, isSure, isVerb } of formsOf(headword)) {
        for (const form of forms) {
          const key = caseKey(form, language)
          const isRare = rare.get(`${form} ${headword}`)
          if (isRare === 'always' || (isRare && this.#headwords.has(key))) continue
          if (isSure || !this.#headwords.has(key)) this.#add(key, rank, headword)
          else if (isVerb) this.#unsure.getOrInsertComputed(key, () => []).push(headword)
        }
      }
    }
  }

  /** What a token may be; `isVerb` if that is a verb where it stands. */
  wordsOf(token: string, isVerb = false): readonly string[] {
    const key = caseKey(token, this.#language)
    const unsure = isVerb ? (this.#unsure.get(key) ?? []) : []
    const found = [...(this.#byForm.get(key)?.headwords ?? []), ...unsure]
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

  #add(form: string, rank: number, headword: string): void {
    const known = this.#byForm.get(form)
    if (!known || known.rank > rank) this.#byForm.set(form, { rank, headwords: [headword] })
    else if (known.rank === rank && !known.headwords.includes(headword)) known.headwords.push(headword)
  }
}

/** The tokens before and after a token, in lower case; empty at the ends of a cue. */
export interface Neighbours {
  before: string
  after: string
  /** Whether the token has a capital letter inside a sentence. */
  isName: boolean
}

const capitalised = /^\p{Lu}\p{Ll}/u

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
      const neighboursOf = (i: number) => ({
        before: keys[i - 1] ?? '',
        after: keys[i + 1] ?? '',
        isName: i > 0 && !tokens[i]!.startsSentence && capitalised.test(tokens[i]!.text),
      })
      return tokens.map(({ text }, i) => tokenWords(lemmasOf(text, neighboursOf(i))))
    },
  }
}

/** The words of a token, of which each has its lemmas; undefined for none. */
export function tokenWords(words: readonly (readonly string[])[]): TokenWord[] | undefined {
  if (words.length === 0) return undefined
  return words.map((lemmas) => ({ length: 1, lemmas, isFunctionWord: false }))
}
