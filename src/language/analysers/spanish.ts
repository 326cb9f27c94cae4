import { withoutAccents } from './accents.ts'
import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { byToken, GeneratedForms, type FormsOf, type Neighbours } from './generated-forms.ts'
import { nominalForms, shortForms } from './spanish-nouns.ts'
import { verbForms } from './spanish-verbs.ts'

/** Nouns, adjectives and other words that end like an infinitive. */
const notVerbs = new Set(
  'lugar mar bar par hogar azúcar dólar altar collar pilar popular familiar similar particular singular solar escolar circular nuclear celular militar espectacular auxiliar titular mujer ayer taller líder alquiler póster cráter bóxer máster mercader primer tercer cualquier súper cáncer interés porvenir mártir elixir faquir'.split(
    ' ',
  ),
)

/** Forms of the most common verbs, which many catalogues also list as headwords. */
const alwaysForms = new Set(['es', 'son', 'era', 'fue', 'está', 'tiene', 've', 'va', 'vamos', 'hay', 'ha'])

/**
 * The Spanish analyser: forms of verbs, also with attached pronouns, plurals and feminines, all by
 * rules.
 */
export function openSpanish(vocabulary: Vocabulary): TokenAnalyser {
  const { forms, hosts, reflexives } = spanishForms(vocabulary)
  return byToken('es', (token, neighbours) => {
    const found = forms.wordsOf(token)
    if (found.length === 0 && !vocabulary.has(token)) return wordsOnHosts(token.toLowerCase(), hosts)
    const verbs = found.length > 1 ? inContext(found, token.toLowerCase(), neighbours) : found
    if (!pronoun.test(neighbours.before)) return verbs
    return verbs.flatMap((verb) => [verb, reflexives.get(verb) ?? []].flat())
  })
}

interface SpanishForms {
  forms: GeneratedForms
  /** The forms of verbs that take attached pronouns, and their headwords. */
  hosts: Map<string, string[]>
  /** Headwords like moverse by their verb, mover, if the catalogue has both. */
  reflexives: Map<string, string>
}

/** The forms of the headwords, by rules of conjugation, number and gender. */
export function spanishForms(vocabulary: Vocabulary): SpanishForms {
  const hosts = new Map<string, string[]>()
  const reflexives = new Map<string, string>()
  const formsOf: FormsOf = (headword) => {
    if (!isVerb(headword)) {
      const { plurals, genders } = nominalForms(headword)
      const short = shortForms[headword] ?? []
      return [[...plurals, short].flat(), [], [], genders]
    }
    const infinitive = headword.replace(/se$/, '')
    const verb = verbForms(infinitive)
    for (const host of verb.hosts) hosts.getOrInsert(host, []).push(headword)
    if (infinitive === headword || !vocabulary.has(infinitive)) return [[], verb.indicative, verb.subjunctive]
    reflexives.set(infinitive, headword)
    return []
  }
  return { forms: new GeneratedForms('es', vocabulary, formsOf, alwaysForms), hosts, reflexives }
}

const pronoun = /^(?:me|te|se|nos|os)$/

/** For a form of two verbs, the one that is rarely meant. */
const rarer: Readonly<Record<string, string>> = { creo: 'crear', siento: 'sentar', ve: 'ir' }

/** Chooses between verbs that share a form: fue a casa is ir, fue así is ser. */
function inContext(
  verbs: readonly string[],
  token: string,
  { before, after }: Neighbours,
): readonly string[] {
  if (verbs.includes('ser') && verbs.includes('ir')) {
    const goes = pronoun.test(before) || /^(?:al?|hacia|hasta)$/.test(after)
    return verbs.filter((verb) => verb !== (goes ? 'ser' : 'ir'))
  }
  return verbs.filter((verb) => verb !== rarer[token])
}

/** The pronouns that can be attached to a verb: dímelo, buscándola, levantarse. */
const pronouns = /^(?:se(?:me|te|nos|os)|(?:me|te|se|nos|os)(?:l[aeo]s?)?|l[aeo]s?)$/

/**
 * The headwords of a verb with attached pronouns. Accents are ignored, because a pronoun changes
 * them: diciendo, diciéndome.
 */
function wordsOnHosts(token: string, hosts: ReadonlyMap<string, string[]>): string[] {
  const found = new Set<string>()
  const plain = withoutAccents(token)
  for (let length = 2; length < plain.length - 1; length++) {
    if (!pronouns.test(plain.slice(length))) continue
    for (const headword of hosts.get(plain.slice(0, length)) ?? []) found.add(headword)
  }
  return [...found]
}

function isVerb(headword: string): boolean {
  return /^\p{L}*[aeií]r(?:se)?$/u.test(headword) && !notVerbs.has(headword)
}
