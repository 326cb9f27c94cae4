import type { Vocabulary } from './analyser.ts'
import { GeneratedForms, type Forms } from './generated-forms.ts'
import { readInflections } from './inflection-tables.ts'

/** The forms of the headwords of a Romance language. */
export interface RomanceForms {
  forms: GeneratedForms
  /** The forms that pronouns are attached to, without accents if so asked, and their headwords. */
  hosts: ReadonlyMap<string, readonly string[]>
  /** Headwords like moverse by their verb, mover, if the catalogue has both. */
  reflexives: ReadonlyMap<string, string>
}

/**
 * Inflects the headwords by the tables `<language>-verbs.txt` and `<language>-nouns.txt`. `hostsOf`
 * gives the forms of a verb that pronouns are attached to, by the columns of its table.
 */
export function romanceForms(
  language: string,
  { headwords, has }: Vocabulary,
  hostsOf: (verb: string, columns: readonly (readonly string[])[]) => readonly string[],
): RomanceForms {
  const table = tables[language]!
  const verbs = readInflections(`${table}-verbs.txt`)
  const nouns = readInflections(`${table}-nouns.txt`)
  const hosts = new Map<string, string[]>()
  const reflexives = new Map<string, string>()
  const formsOf = (headword: string): Forms[] => {
    const infinitive = headword.replace(/rse$/, 'r')
    const columns = accentedStem.test(infinitive) ? null : verbs.inflect(infinitive)
    if (!columns) return nominalForms(nouns.inflect(headword) ?? [])
    for (const host of new Set(hostsOf(infinitive, columns)))
      hosts.getOrInsertComputed(host, () => []).push(headword)
    if (infinitive !== headword && has(infinitive)) {
      reflexives.set(infinitive, headword)
      return []
    }
    const [sure = [], likely = [], subjunctive = []] = columns
    return [
      { forms: sure, rank: 1, isSure: true, isVerb: true },
      { forms: likely, rank: 1, isSure: false, isVerb: true },
      { forms: subjunctive, rank: 2, isSure: false, isVerb: true },
    ]
  }
  return { forms: new GeneratedForms(language, headwords, formsOf, verbs.rare), hosts, reflexives }
}

/** No infinitive has one: cadáver. */
const accentedStem = /[áéíóú].*..$/

const tables: Readonly<Record<string, string>> = { es: 'spanish', pt: 'portuguese' }

function nominalForms([plurals = [], feminines = []]: readonly (readonly string[])[]): Forms[] {
  return [
    { forms: plurals, rank: 0, isSure: false, isVerb: false },
    { forms: feminines, rank: 3, isSure: false, isVerb: false },
  ]
}
