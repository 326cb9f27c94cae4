import { caseKey } from '../lower-case.ts'
import type { Vocabulary } from './analyser.ts'
import { readLists } from './data-file.ts'
import { readRules, type Rules, type WordSets } from './inflection-rules.ts'

export type RomanceLanguage = 'es' | 'pt'

const isIn = readLists('romance-words.txt')

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

/** Without acute, grave, circumflex and tilde on vowels: á, à, â and ã are a; ñ, ç and ü stay. */
function withoutAccents(text: string): string {
  const letters = text.normalize('NFD').replace(/([aeiou])[\u0300\u0301\u0302\u0303]/gi, '$1')
  return letters.normalize('NFC')
}

/**
 * The forms of the headwords of a Romance language. A form that is a headword itself is only that,
 * unless the rules say that it is surely a form: Spanish "para" is the preposition, not a form of
 * "parar", but "hace" is hacer.
 */
export class RomanceForms {
  readonly #language: RomanceLanguage
  readonly #rules: Rules
  readonly #byForm = new Map<string, Reading[]>()
  readonly #headwords: ReadonlySet<string>
  /** Headwords that differ only by accents. Portuguese "a" is never a form of "á". */
  readonly #twins: ReadonlySet<string>
  /** The verbs of the forms that pronouns are attached to, without accents. */
  readonly #hosts = new Map<string, Set<string>>()
  /** Headwords like moverse by their verb, mover, if the catalogue has both. */
  readonly reflexives = new Map<string, string>()

  constructor(language: RomanceLanguage, { headwords, has }: Vocabulary) {
    this.#language = language
    this.#rules = readRules(`rules/${language}.txt`)
    const keys = headwords.map((headword) => caseKey(headword, language))
    this.#headwords = new Set(keys)
    const twins = [...Map.groupBy(keys, withoutAccents).values()].filter(({ length }) => length > 1)
    this.#twins = new Set(twins.flat())
    for (const headword of headwords) {
      const made = this.#rules.apply({ word: [headword] })
      const hosts = [...(made.host ?? [])].map(withoutAccents)
      for (const host of hosts) this.#hosts.getOrInsertComputed(host, () => new Set()).add(headword)
      const verb = headword.replace(/rse$/, 'r')
      if (hosts.length > 0 && verb !== headword && has(verb)) this.reflexives.set(verb, headword)
      else this.#addForms(headword, made)
    }
  }

  /** What a token may be; `isVerb` if that is a verb where it stands. */
  wordsOf(token: string, isVerb: boolean): readonly string[] {
    const key = caseKey(token, this.#language)
    const found = new Set(this.#readings(key, isVerb).map(({ headword }) => headword))
    const isItself = this.#twins.has(key) || (found.size > 0 && this.#headwords.has(key))
    return isItself ? [key, ...found] : [...found]
  }

  /** The headwords of verbs that a token has within, before pronouns. */
  verbsIn(token: string): string[] {
    const hosts = [...(this.#rules.apply({ token: [token] }).host ?? [])].map(withoutAccents)
    return [...new Set(hosts.flatMap((host) => [...(this.#hosts.get(host) ?? [])]))]
  }

  /** Whether a word is a form of a verb, of those that nothing else has, and no participle. */
  isFinite(key: string): boolean {
    const isVerb = this.#readings(key, false).some(({ set }) => isVerbal(set))
    return isVerb && !this.#headwords.has(key) && !/(?:[aií]d|[cs]t|rt)[oa]s?$/.test(key)
  }

  byHeadword(): Map<string, string[]> {
    const forms = new Map<string, string[]>()
    for (const form of this.#byForm.keys())
      for (const { headword } of this.#readings(form, false)) forms.getOrInsert(headword, []).push(form)
    return forms
  }

  #readings(key: string, isVerb: boolean): Reading[] {
    const isHeadword = this.#headwords.has(key)
    const all = this.#byForm.get(key) ?? []
    const usual = all.filter(({ set }) => !isHeadword || set === 'sure' || (isVerb && isVerbal(set)))
    const lowest = Math.min(...usual.map(({ set }) => ranks[set]))
    return usual.filter(({ set }) => ranks[set] === lowest)
  }

  /** Forms that are hardly ever meant do not count. */
  #addForms(headword: string, made: WordSets): void {
    for (const set of Object.keys(ranks) as FormSet[])
      for (const form of made[set] ?? []) {
        const key = caseKey(form, this.#language)
        const lists = this.#headwords.has(key) ? ['rare', 'rareHeadword'] : ['rare']
        const isRare = lists.some((list) => isIn(`${this.#language}.${list}`, `${form}_${headword}`))
        if (!isRare) this.#byForm.getOrInsert(key, []).push({ headword, set })
      }
  }
}

function isVerbal(set: FormSet): boolean {
  return set === 'sure' || set === 'likely' || set === 'subjunctive'
}
