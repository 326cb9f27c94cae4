import { caseKey } from '../lower-case.ts'
import { segment } from '../segment.ts'
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
 * "parar".
 */
export class GeneratedForms {
  readonly #language: string
  readonly #byForm = new Map<string, { kind: number; headwords: string[] }>()

  constructor(language: string, { headwords, has }: Vocabulary, formsOf: FormsOf) {
    this.#language = language
    for (const headword of headwords) {
      for (const [kind, forms] of formsOf(headword).entries())
        for (const form of forms) if (!has(form)) this.#add(caseKey(form, language), kind, headword)
    }
  }

  /** Each as a list of its own: a token may be a form of any of them. */
  wordsOf(token: string): string[][] {
    const found = this.#byForm.get(caseKey(token, this.#language))
    return found ? found.headwords.map((headword) => [headword]) : []
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

/**
 * An analyser that looks at each token by itself. It is given the lemmas of each word that a token
 * is: several where it may be any of them.
 */
export function byToken(language: string, wordsOf: (token: string) => readonly string[][]): Analyser {
  const analyseOne = (text: string) =>
    segment(text, language).flatMap(({ text: token, start }): AnalysedWord[] =>
      wordsOf(token).map((lemmas) => ({
        start,
        end: start + token.length,
        lemmas,
        isFunctionWord: false,
      })),
    )
  return { analyse: (texts) => texts.map(analyseOne) }
}
