import { crc32 } from 'node:zlib'
import { spellingFold, spellingFolds } from '../folds.ts'
import { caseKey, plainApostrophes } from '../lower-case.ts'
import type { SpokenToken, Vocabulary } from './analyser.ts'
import { readDataLines, readLists } from './data-file.ts'
import { hunspellForms } from './hunspell.ts'
import { readRules } from './inflection-rules.ts'
import sources from './lexicons.json' with { type: 'json' }
import {
  LexiconAnalyser,
  type Forms,
  type FormSet,
  type Kind,
  type Lexicon,
  type Reading,
} from './lexicon.ts'
import { installedPackage, readTable, type WordTable } from './word-tables.ts'

/** The sources of the lexicon analyser for the forms of a language, besides forms/ and rules/. */
interface Source {
  tables?: readonly WordTable[]
  /** Whether it also reads the Hunspell dictionary of the language. */
  hunspell?: boolean
  /** Whether an unknown word is inflected like its last part: Arbeitsplatz like Platz. */
  compounds?: boolean
}

const isIn = readLists('lexicon-words.txt')

function sourceOf(language: string): Source {
  return (sources as Record<string, Source>)[language] ?? { hunspell: true }
}

const kindsAt: Readonly<Record<string, Lexicon['kindsAt']>> = {
  de: germanKinds,
  fr: kindsAfter('fr'),
  it: kindsAfter('it'),
  nl: kindsAround('nl', []),
  sv: kindsAround('sv', ['verb', 'other']),
}

const capital = /^\p{Lu}/u

/** German nouns start with a capital letter, and so does the first word of a sentence. */
function germanKinds(tokens: readonly SpokenToken[], i: number): readonly Kind[] {
  const { text, startsSentence } = tokens[i]!
  if (!capital.test(text)) return ['verb', 'other']
  return i === 0 || startsSentence ? [] : ['noun']
}

/**
 * Whether a token cannot have a reading. A lower-case word is not a noun if the text has capital
 * letters: antworten, not Antwort. A capitalised word is not a verb inside a sentence: unser Ruf.
 */
function isImpossibleInGerman({ headword, kind }: Reading, tokens: readonly SpokenToken[], i: number) {
  const { text, startsSentence } = tokens[i]!
  if (!capital.test(headword))
    return i > 0 && !startsSentence && kind === 'verb' && /^\p{Lu}\p{Ll}+(?<!en)$/u.test(text)
  return /^\p{Ll}.*en?$/u.test(text) && tokens.some((token) => capital.test(token.text))
}

/**
 * Returns a function for the kinds of word that can follow a determiner, pronoun or auxiliary:
 * porte is not a verb in "la porte", but it is in "il porte". Elsewhere, a noun is likelier:
 * French "livres" is rarely a form of livrer.
 */
function kindsAfter(language: 'fr' | 'it'): NonNullable<Lexicon['kindsAt']> {
  return (tokens, i) => {
    if (i === 0 || tokens[i]!.startsSentence) return ['noun', 'other']
    const [before, first] = [keyAt(tokens, i - 1), keyAt(tokens, i - 2)]
    // Of two words that may be both pronoun and article, the first decides: il les porte.
    const isPronoun = (key: string) => isIn(`${language}.pronoun`, key)
    if (isPronoun(before) || (isIn(`${language}.determiner`, before) && isPronoun(first))) return ['verb']
    return ['noun', 'other']
  }
}

/** Matches the words that may be between a determiner and its noun. */
const adjective = { nl: /^\p{L}{2,}e$/u, sv: /^\p{L}{2,}[ae]$/u }
const dutchParticiple = /^\p{L}*ge\p{L}+(?:en|[dt])$/u

/**
 * Distinguishes nouns and verbs after determiners and prepositions, with or without adjectives
 * between, and after pronouns and auxiliaries: de nieuwe vragen, ze vragen, heeft gegeven.
 * Elsewhere, `usualKinds` are likelier.
 */
function kindsAround(language: 'nl' | 'sv', usualKinds: readonly Kind[]): NonNullable<Lexicon['kindsAt']> {
  const isListed = (list: string, key: string) => isIn(`${language}.${list}`, key)
  return (tokens, i) => {
    let start = i
    while (start > 0 && !tokens[start]!.startsSentence) start--
    const keys = tokens.slice(start, i + 2).map((_, at) => keyAt(tokens, start + at))
    const keysBefore = keys.slice(0, i - start)
    const before = keysBefore.at(-1) ?? ''
    if (isListed('determiner', before)) return ['noun', 'other']
    if (language === 'nl' && dutchParticiple.test(keyAt(tokens, i))) {
      // After a preposition, "het" is an article: op het gebied, but ik heb het gegeven.
      if (before === 'het' && isListed('determiner', keysBefore.at(-2) ?? '')) return ['noun', 'other']
      const hasAuxiliary = keysBefore.some((key) => isListed('auxiliary', key))
      return hasAuxiliary || isListed('auxiliary', keys[i - start + 1] ?? '') ? ['verb'] : usualKinds
    }
    // Short words are words of grammar: ik wat.
    if (isListed('pronoun', before) && keyAt(tokens, i).length > 3) return ['verb']
    const behindAdjectives = keysBefore.findLast((key) => !adjective[language].test(key)) ?? ''
    return before !== behindAdjectives && isListed('determiner', behindAdjectives)
      ? ['noun', 'other']
      : usualKinds
  }
}

function keyAt(tokens: readonly SpokenToken[], i: number): string {
  return plainApostrophes(tokens[i]?.text.toLowerCase() ?? '')
}

const isAscii = /^[ -~]*$/
const foldMarks = (language: string) => (form: string) =>
  isAscii.test(form) ? [] : [spellingFold(form, language).replaceAll('ł', 'l')]

/**
 * The spellings of forms on keyboards without the marks of a language. This excludes German schon
 * for schön, which is another word. In French, only capitals lose their marks: tache is not tâche.
 */
const unmarkedSpellings: Readonly<Record<string, Lexicon['unmarkedSpellings']>> = {
  de: (form) => spellingFolds(form, 'de').slice(1),
  fr: (form) => (isAscii.test(form[0]!) ? [] : [spellingFold(form[0]!, 'fr') + form.slice(1)]),
  ...Object.fromEntries(
    ['cs', 'el', 'hu', 'it', 'nl', 'pl', 'sv'].map((language) => [language, foldMarks(language)]),
  ),
}

/** A headword whose last part is looked up in a lexicon: Platz for Arbeitsplatz. */
interface Wanted {
  headword: string
  prefix: string
}

const shortestLastPart = 3

/** The version of the rules in code, increased with each change. */
const codeVersion = 9

/** The npm packages that the analyser of a language reads. */
export function lexiconPackages(language: string): string[] {
  const { tables = [], hunspell } = sourceOf(language)
  return [...tables.map(({ packageName }) => packageName), ...(hunspell ? [`dictionary-${language}`] : [])]
}

/** The version of the code, and of the lexicons, listed forms and rules of a language. */
export function lexiconVersion(language: string): string {
  const files = [`forms/${language}.tsv`, `rules/${language}.txt`]
  const data = [JSON.stringify(sourceOf(language)), ...files.flatMap((file) => readDataLines(file))]
  return `${codeVersion}+${crc32(data.join('\n'))}`
}

/** Opens the analyser of a language by its lexicons. */
export function openLexicon(language: string, vocabulary: Vocabulary): LexiconAnalyser {
  const { tables = [], hunspell, compounds = false } = sourceOf(language)
  const rules = readRules(`rules/${language}.txt`)
  const particle = rules.patterns.get('longParticle')
  const collector = new Collector(language, vocabulary.headwords, compounds, particle)
  for (const table of tables)
    for (const { lemma, forms } of readTable(table, (word) => collector.wants(word)))
      collector.add(lemma, forms)
  for (const [form, headword, kind] of readListed(language))
    if (kind) collector.addListed(headword, kind, form)
  if (hunspell) collector.addHunspell(installedPackage(`dictionary-${language}`)!.folder)
  return new LexiconAnalyser(language, vocabulary, {
    kindsAt: kindsAt[language],
    excludes: language === 'de' ? isImpossibleInGerman : undefined,
    formsOf(headword) {
      const lexiconForms = collector.formsOf(headword)
      const unlistedWords = lexiconForms === undefined ? [headword] : []
      const nominal = lexiconForms?.verb?.size ? [] : [headword]
      return rules.apply({ ...lexiconForms, word: [headword], unlisted: unlistedWords, nominal })
    },
    fixed: fixedForms(language),
    partsOf(token) {
      const { host = [], clitic = [] } = rules.apply({ token: [token] })
      return { hosts: host, clitics: clitic }
    },
    withAccents: (token) => rules.apply({ token: [token] }).accented ?? [],
    unmarkedSpellings: unmarkedSpellings[language] ?? (() => []),
    needsUnmarkedClip: ['cs', 'hu', 'pl', 'sv'].includes(language),
  })
}

type FoundForms = Partial<Record<FormSet, Set<string>>>

function addForm(forms: FoundForms, set: FormSet, form: string): void {
  forms[set] ??= new Set()
  forms[set].add(form)
}

class Collector {
  readonly #language: string
  readonly #wanted = new Map<string, Wanted[]>()
  /** The forms of the nearest entry, keyed by headword: itself, or its longest last part. */
  readonly #found = new Map<string, { distance: number; forms: FoundForms }>()
  /** The listed forms of a headword, in addition to those of its last part. */
  readonly #listed = new Map<string, FoundForms>()

  /** A compound that starts with `particle` is never split within it: herein|kommen. */
  constructor(language: string, headwords: readonly string[], compounds: boolean, particle?: string) {
    this.#language = language
    const beginning = particle === undefined ? null : new RegExp(`^${particle}(?=\\p{L}{4,}$)`, 'u')
    for (const headword of headwords) {
      const longest = compounds ? headword.length - shortestLastPart : 0
      const whole = beginning?.exec(headword)?.[0].length
      for (let at = 0; at <= Math.max(0, longest); at++) {
        if (at > 0 && at < (whole ?? 0)) continue
        this.#wanted
          .getOrInsertComputed(caseKey(headword.slice(at), language), () => [])
          .push({ headword, prefix: headword.slice(0, at) })
      }
    }
  }

  wants(lemma: string): boolean {
    return this.#wanted.has(caseKey(lemma, this.#language))
  }

  /** `isWanted` tells before which prefixes of headwords the forms count. */
  add(lemma: string, forms: Forms, isWanted = (_prefix: string) => true): void {
    for (const { headword, prefix } of this.#wanted.get(caseKey(lemma, this.#language)) ?? []) {
      if (!isWanted(prefix)) continue
      // A noun with the spelling of the verb is further from it than the verb: Fragen from fragen.
      const distance = 2 * prefix.length + (prefix + lemma === headword ? 0 : 1)
      const known = this.#found.get(headword)
      if (known && known.distance < distance) continue
      const entry = known?.distance === distance ? known : { distance, forms: {} as FoundForms }
      this.#found.set(headword, entry)
      for (const [set, texts] of Object.entries(forms) as [FormSet, Iterable<string>][])
        for (const text of texts) {
          addForm(entry.forms, set, prefix + text)
          // The part before a verb may also be separated.
          if (prefix !== '' && set === 'verb') addForm(entry.forms, 'apart', `${text}_${prefix}`)
        }
    }
  }

  /** Adds a listed form of a word, which its compounds also have. */
  addListed(lemma: string, kind: Kind, form: string): void {
    const listedForms = this.#listed.getOrInsertComputed(lemma, () => ({}))
    addForm(listedForms, kind, form)
    this.add(lemma, { [kind]: [form] }, (prefix) => prefix !== '')
  }

  /** Adds the forms of the Hunspell dictionary in a folder to those of known verbs. */
  addHunspell(folder: string): void {
    const wantedParts = [...this.#wanted.values()].flat()
    const partSpellings = wantedParts.map(({ headword, prefix }) => headword.slice(prefix.length))
    const whole = wantedParts.filter(({ prefix }) => prefix === '').map(({ headword }) => headword)
    for (const [word, forms] of hunspellForms(folder, new Set(whole), new Set(partSpellings))) {
      const verb = this.formsOf(word)?.verb ?? new Set()
      this.add(word, { verb, other: forms.difference(verb) })
    }
  }

  formsOf(headword: string): FoundForms | undefined {
    const forms = this.#found.get(headword)?.forms
    const listedForms = this.#listed.get(headword)
    if (!forms || !listedForms) return forms ?? listedForms
    const sets = Object.keys({ ...forms, ...listedForms }) as FormSet[]
    return Object.fromEntries(sets.map((set) => [set, new Set(forms[set]).union(new Set(listedForms[set]))]))
  }
}

/**
 * Reads forms/<language>.tsv: forms that the lexicons lack, or that are ambiguous. A line has a
 * form, its words, and the kind of word if other readings are possible. Several words are separated
 * by blanks (im: "in der"), the possible headwords of a word by slashes, and an underscore stands
 * for a blank in a headword (t.ex: "till_exempel/till exempel").
 */
function readListed(language: string) {
  const lines = readDataLines(`forms/${language}.tsv`)
  return lines.map((line) => line.split('\t') as [form: string, words: string, kind?: Kind])
}

/** Returns the forms that always have the same words, each with its possible headwords. */
export function fixedForms(language: string): Map<string, string[][]> {
  const fixed = readListed(language).filter(([, , kind]) => kind === undefined)
  const headwordsOf = (word: string) => word.replaceAll('_', ' ').split('/')
  return new Map(fixed.map(([form, words]) => [form, words.split(' ').map(headwordsOf)]))
}
