import { createRequire } from 'node:module'
import type { Analyser, Vocabulary } from './analyser.ts'
import { byToken, GeneratedForms } from './generated-forms.ts'

/** What this project uses of spanish-verbs: one form of a verb, by tense and person. */
interface SpanishVerbs {
  getConjugation(verb: string, tense: string, person: number): string
}

const tenses = [
  'INDICATIVE_PRESENT',
  'INDICATIVE_IMPERFECT',
  'INDICATIVE_PRETERITE',
  'INDICATIVE_FUTURE',
  'SUBJUNCTIVE_PRESENT',
  'SUBJUNCTIVE_IMPERFECT_RA',
  'SUBJUNCTIVE_IMPERFECT_SE',
  'CONDITIONAL_PRESENT',
]
const persons = [0, 1, 2, 3, 4, 5]

/** Nouns, adjectives and others that end like an infinitive. */
const notVerbs = new Set(
  'lugar mar bar par hogar azúcar dólar altar collar pilar popular familiar similar particular singular solar escolar circular nuclear celular militar espectacular auxiliar titular mujer ayer taller líder alquiler póster cráter bóxer máster mercader primer tercer cualquier súper cáncer interés porvenir mártir elixir faquir'.split(
    ' ',
  ),
)

/**
 * The Spanish analyser: the forms of verbs with the pronouns that hang on them, plurals and
 * feminines.
 *
 * @throws the package is not installed
 */
export function openSpanish(vocabulary: Vocabulary): Analyser {
  const { forms, hosts } = spanishForms(vocabulary)
  return byToken('es', (token) => {
    const found = forms.wordsOf(token)
    return found.length > 0 || vocabulary.has(token) ? found : wordsOnHosts(token.toLowerCase(), hosts)
  })
}

/**
 * The forms of the headwords, and the forms of verbs that pronouns are written on.
 *
 * @throws the package is not installed
 */
export function spanishForms(vocabulary: Vocabulary): {
  forms: GeneratedForms
  hosts: Map<string, string[]>
} {
  const verbs = createRequire(import.meta.url)('spanish-verbs') as SpanishVerbs
  const hosts = new Map<string, string[]>()
  const forms = new GeneratedForms('es', vocabulary, (headword) => {
    const { plurals, genders } = nominalForms(headword)
    if (!isVerb(headword)) return [[...plurals, ...shortFormOf(headword)], [], genders]
    const verb = verbForms(headword.replace(/se$/, ''), verbs)
    for (const host of verb.hosts) hosts.set(host, [...(hosts.get(host) ?? []), headword])
    return [[], verb.forms, []]
  })
  return { forms, hosts }
}

/** What may be written on a verb, one pronoun or two: dímelo, buscándola, levantarse. */
const pronouns = /^(?:se(?:me|te|nos|os)|(?:me|te|se|nos|os)(?:l[aeo]s?)?|l[aeo]s?)$/

/**
 * The accents of the host and of the verb by itself differ (diciendo, diciéndome), so that they do
 * not count.
 */
function wordsOnHosts(token: string, hosts: ReadonlyMap<string, string[]>): string[][] {
  const found = new Set<string>()
  const plain = withoutAccents(token)
  for (let length = 2; length < plain.length - 1; length++) {
    if (!pronouns.test(plain.slice(length))) continue
    for (const headword of hosts.get(plain.slice(0, length)) ?? []) found.add(headword)
  }
  return [...found].map((headword) => [headword])
}

/** What some adjectives are before a noun. */
const shortForms: Record<string, string> = {
  bueno: 'buen',
  grande: 'gran',
  malo: 'mal',
  primero: 'primer',
  tercero: 'tercer',
  alguno: 'algún',
  ninguno: 'ningún',
  santo: 'san',
  cualquiera: 'cualquier',
}

function shortFormOf(headword: string): string[] {
  const short = shortForms[headword]
  return short === undefined ? [] : [short]
}

function isVerb(headword: string): boolean {
  return /^\p{L}*[aeií]r(?:se)?$/u.test(headword) && !notVerbs.has(headword)
}

const vowels = 'aeiouáéíóú'

/**
 * Plural, feminine and feminine plural of a noun or an adjective; some do not exist, and nobody
 * says them.
 */
export function nominalForms(word: string): { plurals: string[]; genders: string[] } {
  if (!/^\p{L}{3,}$/u.test(word)) return { plurals: [], genders: [] }
  const plural = pluralOf(word)
  const feminine = feminineOf(word)
  return {
    plurals: plural === null ? [] : [plural],
    genders: feminine === null ? [] : [feminine, `${feminine}s`],
  }
}

function pluralOf(word: string): string | null {
  if (/[aeiouáéó]$/.test(word)) return `${word}s`
  if (word.endsWith('z')) return `${word.slice(0, -1)}ces`
  const accented = /([áéíóú])([ns])$/.exec(word)
  if (accented) return `${word.slice(0, -2)}${withoutAccents(accented[1]!)}${accented[2]}es`
  if (word.endsWith('s')) return null
  // The accent stays where it was heard: joven, jóvenes; examen, exámenes.
  if (/[^áéíóú][aeiou][^aeiou]+en$/.test(word) && !/[áéíóú]/.test(word)) return `${accentLastButOne(word)}es`
  return `${word}es`
}

function feminineOf(word: string): string | null {
  if (word.endsWith('o')) return `${word.slice(0, -1)}a`
  if (word.endsWith('or')) return `${word}a`
  const accented = /([áéíó])([ns])$/.exec(word)
  if (accented && word.length > 4) return `${word.slice(0, -2)}${withoutAccents(accented[1]!)}${accented[2]}a`
  return null
}

function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\u0301/g, '')
    .normalize('NFC')
}

/** examen → exámen. */
function accentLastButOne(word: string): string {
  const at = [...word].map((letter, i) => (vowels.includes(letter) ? i : -1)).filter((i) => i >= 0)
  const place = at.at(-2)!
  return `${word.slice(0, place)}${accent(word[place]!)}${word.slice(place + 1)}`
}

function accent(vowel: string): string {
  return `${vowel}\u0301`.normalize('NFC')
}

const irregularParticiples: Record<string, string> = {
  abrir: 'abierto',
  cubrir: 'cubierto',
  decir: 'dicho',
  escribir: 'escrito',
  freír: 'frito',
  hacer: 'hecho',
  imprimir: 'impreso',
  morir: 'muerto',
  poner: 'puesto',
  prever: 'previsto',
  resolver: 'resuelto',
  romper: 'roto',
  satisfacer: 'satisfecho',
  ver: 'visto',
  volver: 'vuelto',
}
const irregularCommands: Record<string, string> = {
  decir: 'di',
  hacer: 'haz',
  ir: 've',
  poner: 'pon',
  salir: 'sal',
  ser: 'sé',
  tener: 'ten',
  venir: 'ven',
}
/** Of irregular verbs, all others with a prefix follow: componer, describir. */
function byEnding(table: Record<string, string>, verb: string): string | undefined {
  const base = Object.keys(table).find(
    (known) => verb === known || (known.length > 3 && verb.endsWith(known)),
  )
  return base === undefined ? undefined : verb.slice(0, -base.length) + table[base]!
}

interface VerbForms {
  forms: Set<string>
  /** Those that pronouns are written on, without accents: infinitive, gerund, commands. */
  hosts: Set<string>
}

function verbForms(verb: string, { getConjugation }: SpanishVerbs): VerbForms {
  const conjugated = tenses.map((tense) =>
    persons.map((person) => conjugate(() => getConjugation(verb, tense, person))),
  )
  const [present, , preterite, , subjunctive] = conjugated
  const participle = participleOf(verb)
  const participles = ['', 's'].flatMap((s) => [participle + s, `${participle.slice(0, -1)}a${s}`])
  const gerund = gerundOf(verb, preterite![2]!)
  const command = byEnding(irregularCommands, verb) ?? present![2]!
  const commands = [command, subjunctive![2]!, subjunctive![5]!, subjunctive![3]!]
  const forms = [...conjugated.flat(), ...participles, gerund, command, `${verb.slice(0, -1)}d`]
  // Vamos and nos: vámonos, the s falls away.
  const hosts = [verb, gerund, ...commands, subjunctive![3]!.replace(/s$/, ''), verb === 'ir' ? 'vamo' : verb]
  return {
    forms: new Set(forms.filter((form) => /^\p{L}+$/u.test(form))),
    hosts: new Set(hosts.filter(Boolean).map(withoutAccents)),
  }
}

/** What the package throws of verbs that it does not know is no form. */
function conjugate(form: () => string): string {
  try {
    return form()
  } catch {
    return ''
  }
}

function participleOf(verb: string): string {
  const irregular = byEnding(irregularParticiples, verb)
  if (irregular !== undefined) return irregular
  const stem = verb.slice(0, -2)
  if (verb.endsWith('ar')) return `${stem}ado`
  return /[aeo]$/.test(stem) ? `${stem}ído` : `${stem}ido`
}

/**
 * -er and -ir change their stem as in the third person of the preterite: pidió, pidiendo; cayó,
 * cayendo.
 */
function gerundOf(verb: string, preterite: string): string {
  if (verb.endsWith('ar')) return `${verb.slice(0, -2)}ando`
  if (verb === 'ir') return 'yendo'
  if (preterite.endsWith('yó')) return `${preterite.slice(0, -1)}endo`
  if (preterite.endsWith('ió') && verb.endsWith('ir')) return `${preterite.slice(0, -1)}endo`
  const stem = verb.slice(0, -2)
  return /[aeou]$/.test(stem) ? `${stem}yendo` : `${stem}iendo`
}
