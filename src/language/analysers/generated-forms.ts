import { caseKey } from '../lower-case.ts'
import { segment } from '../segment.ts'
import { withoutAccents } from './accents.ts'
import type { AnalysedWord, Analyser, Vocabulary } from './analyser.ts'

/**
 * The forms that rules make of a headword, the surest kind first. Of a token that is a form of
 * several headwords, those of the surest kind count: Spanish "casas" is "casa", not "caso" or
 * "casar".
 */
export type FormsOf = (headword: string) => readonly Iterable<string>[]

/**
 * The headwords that rules make each form of. A form that the catalogue spells itself, as a
 * headword or a listed form, is left to the catalogue: Spanish "para" is the word, not a form of
 * "parar". Only the forms in `alwaysForms` count for both: Portuguese "é" is of "ser", too.
 */
export class GeneratedForms {
  readonly #language: string
  readonly #byForm = new Map<string, { kind: number; headwords: string[] }>()
  /** Headwords that only an accent tells from others: Portuguese "a" is no form of "á". */
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
    this.#twins = twinsAmong(keys)
    for (const headword of headwords) {
      for (const [kind, forms] of formsOf(headword).entries())
        for (const form of forms)
          if (!has(form) || alwaysForms.has(form)) this.#add(caseKey(form, language), kind, headword)
    }
  }

  /** The headwords that a token is a form of. */
  wordsOf(token: string): readonly string[] {
    const key = caseKey(token, this.#language)
    const found = this.#byForm.get(key)?.headwords ?? []
    const isItself = this.#twins.has(key) || (found.length > 0 && this.#headwords.has(key))
    return isItself ? [key, ...found] : found
  }

  isHeadword(token: string): boolean {
    return this.#headwords.has(caseKey(token, this.#language))
  }

  /** The forms of each headword. */
  byHeadword(): Map<string, string[]> {
    const forms = new Map<string, string[]>()
    for (const [form, { headwords }] of this.#byForm) {
      for (const headword of headwords) {
        const known = forms.get(headword)
        if (known) known.push(form)
        else forms.set(headword, [form])
      }
    }
    return forms
  }

  #add(form: string, kind: number, headword: string): void {
    const known = this.#byForm.get(form)
    if (!known || known.kind > kind) this.#byForm.set(form, { kind, headwords: [headword] })
    else if (known.kind === kind && !known.headwords.includes(headword)) known.headwords.push(headword)
  }
}

function twinsAmong(keys: readonly string[]): Set<string> {
  const byLetters = new Map<string, string[]>()
  for (const key of keys) {
    const letters = withoutAccents(key)
    byLetters.set(letters, [...(byLetters.get(letters) ?? []), key])
  }
  return new Set([...byLetters.values()].filter(({ length }) => length > 1).flat())
}

/** The tokens beside one, in lower case; empty at the ends of a text. */
export interface Neighbours {
  before: string
  after: string
}

/**
 * An analyser that is given the tokens of a text one by one, and says which headwords each may be a
 * form of.
 */
export function byToken(
  language: string,
  wordsOf: (token: string, neighbours: Neighbours) => readonly string[],
): Analyser {
  return byLemmas(language, (token, neighbours) => wordsOf(token, neighbours).map((headword) => [headword]))
}

/** The same with several lemmas, likeliest first, for each word that a token may be. */
export function byLemmas(
  language: string,
  wordsOf: (token: string, neighbours: Neighbours) => readonly (readonly string[])[],
): Analyser {
  const analyseOne = (text: string) => {
    const tokens = segment(text, language)
    const keyAt = (i: number) => (tokens[i] ? caseKey(tokens[i].text, language) : '')
    return tokens.flatMap(({ text: token, start }, i): AnalysedWord[] =>
      wordsOf(token, { before: keyAt(i - 1), after: keyAt(i + 1) }).map((lemmas) => ({
        start,
        end: start + token.length,
        lemmas,
        isFunctionWord: false,
      })),
    )
  }
  return { analyse: (texts) => texts.map(analyseOne) }
}
