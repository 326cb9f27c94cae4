import { caseKey } from '../lower-case.ts'
import type { Vocabulary } from './analyser.ts'
import { readInflections } from './inflection-tables.ts'

export type RomanceLanguage = 'es' | 'pt'

/** Without acute, grave, circumflex and tilde on vowels: á, à, â and ã are a; ñ, ç and ü stay. */
export function withoutAccents(text: string): string {
  const letters = text.normalize('NFD').replace(/([aeiou])[\u0300\u0301\u0302\u0303]/gi, '$1')
  return letters.normalize('NFC')
}

const tables = { es: 'spanish', pt: 'portuguese' } as const
/**
 * The ranks of the columns of a table. If a token is a form of several headwords, only those of the
 * lowest rank count: Spanish "casas" belongs to "casa", not to "caso" or "casar".
 */
const ranks = { noun: [0, 3], verb: [1, 1, 2] }

/**
 * The forms of the headwords of a Romance language, by the tables `<language>-verbs.txt` and
 * `<language>-nouns.txt`. A form that is a headword itself is only that, unless the table says that
 * it is surely a form: Spanish "para" is the preposition, not a form of "parar", but "hace" is
 * hacer.
 */
export class RomanceForms {
  readonly #language: RomanceLanguage
  readonly #byForm = new Map<string, { rank: number; headwords: string[] }>()
  /** The verbs of forms that are headwords themselves, where that is not sure. */
  readonly #unsure = new Map<string, string[]>()
  readonly #headwords: ReadonlySet<string>
  /** Headwords that differ only by accents. Portuguese "a" is never a form of "á". */
  readonly #twins: ReadonlySet<string>
  /** The verbs of the forms that pronouns are attached to, without accents. */
  readonly #hosts = new Map<string, string[]>()
  /** Headwords like moverse by their verb, mover, if the catalogue has both. */
  readonly reflexives = new Map<string, string>()

  constructor(language: RomanceLanguage, { headwords, has }: Vocabulary) {
    this.#language = language
    const keys = headwords.map((headword) => caseKey(headword, language))
    this.#headwords = new Set(keys)
    const twins = [...Map.groupBy(keys, withoutAccents).values()].filter(({ length }) => length > 1)
    this.#twins = new Set(twins.flat())
    const verbs = readInflections(`${tables[language]}-verbs.txt`)
    const nouns = readInflections(`${tables[language]}-nouns.txt`)
    for (const headword of headwords) {
      const verb = headword.replace(/rse$/, 'r')
      const columns = verbs.inflect(verb)
      if (columns) this.#addHosts(headword, verb, columns)
      if (columns && verb !== headword && has(verb)) this.reflexives.set(verb, headword)
      else if (columns) this.#addForms(headword, columns.slice(0, 3), 'verb', verbs.rare)
      else this.#addForms(headword, nouns.inflect(headword) ?? [], 'noun', verbs.rare)
    }
  }

  /** What a token may be; `isVerb` if that is a verb where it stands. */
  wordsOf(token: string, isVerb: boolean): readonly string[] {
    const key = caseKey(token, this.#language)
    const unsure = isVerb ? (this.#unsure.get(key) ?? []) : []
    const found = [...(this.#byForm.get(key)?.headwords ?? []), ...unsure]
    const isItself = this.#twins.has(key) || (found.length > 0 && this.#headwords.has(key))
    return isItself ? [key, ...found] : found
  }

  /** The headwords of verbs that have one of these forms before a pronoun. */
  verbsOf(hosts: Iterable<string>): string[] {
    return [...new Set([...hosts].flatMap((host) => this.#hosts.get(withoutAccents(host)) ?? []))]
  }

  isHeadword(key: string): boolean {
    return this.#headwords.has(key)
  }

  /** Whether a word is a form of a verb, of those that nothing else has, and no participle. */
  isFinite(key: string): boolean {
    const isVerb = ranks.verb.includes(this.#byForm.get(key)?.rank ?? -1)
    return isVerb && !this.#headwords.has(key) && !/(?:[aií]d|[cs]t|rt)[oa]s?$/.test(key)
  }

  byHeadword(): Map<string, string[]> {
    const forms = new Map<string, string[]>()
    for (const [form, { headwords }] of this.#byForm)
      for (const headword of headwords) forms.getOrInsert(headword, []).push(form)
    return forms
  }

  #addHosts(headword: string, verb: string, columns: readonly string[][]): void {
    const hosts = columns[3] ? [`${verb.slice(0, -1)}d`, ...columns[3]] : columns.flat()
    for (const host of new Set([verb, ...hosts].map(withoutAccents)))
      this.#hosts.getOrInsertComputed(host, () => []).push(headword)
  }

  /** Forms that are hardly ever meant do not count. */
  #addForms(
    headword: string,
    columns: readonly string[][],
    kind: 'noun' | 'verb',
    rare: ReadonlyMap<string, 'always' | 'headword'>,
  ): void {
    for (const [column, forms] of columns.entries()) {
      for (const form of forms) {
        const key = caseKey(form, this.#language)
        const isHeadword = this.#headwords.has(key)
        const isRare = rare.get(`${form} ${headword}`)
        if (isRare === 'always' || (isRare && isHeadword)) continue
        const isSure = kind === 'verb' && column === 0
        if (isSure || !isHeadword) this.#add(key, ranks[kind][column]!, headword)
        else if (kind === 'verb') this.#unsure.getOrInsertComputed(key, () => []).push(headword)
      }
    }
  }

  #add(form: string, rank: number, headword: string): void {
    const known = this.#byForm.get(form)
    if (!known || known.rank > rank) this.#byForm.set(form, { rank, headwords: [headword] })
    else if (known.rank === rank && !known.headwords.includes(headword)) known.headwords.push(headword)
  }
}
