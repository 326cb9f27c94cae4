import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { caseKey } from '../lower-case.ts'
import type { Vocabulary } from './analyser.ts'
import { hunspellForms } from './hunspell.ts'
import { LexiconAnalyser, type Entry, type Kind } from './lexicon.ts'
import { lexiconLanguages, type LexiconLanguage } from './lexicon-languages.ts'
import { packageFolder } from './packages.ts'
import { readTable } from './word-tables.ts'

/** A headword for which a lexicon is asked for the rest of it: Platz for Arbeitsplatz. */
interface Wanted {
  headword: string
  prefix: string
}

const shortestLastPart = 3

/** Raised with each change of the rules in code, here and in the files beside. */
const rules = 2

function sourceOf(language: string): LexiconLanguage {
  return lexiconLanguages[language] ?? { hunspell: true }
}

/** The npm packages that the analyser of a language reads. */
export function lexiconPackages(language: string): string[] {
  const { tables = [], hunspell } = sourceOf(language)
  return [...tables.map(({ packageName }) => packageName), ...(hunspell ? [`dictionary-${language}`] : [])]
}

/** The version of the rules and the listed forms of a language. */
export function lexiconVersion(language: string): string {
  const path = listedPath(language)
  return existsSync(path) ? `${rules}+${crc32(readFileSync(path))}` : `${rules}`
}

/** Opens the analyser of a language by its lexicons. */
export function openLexicon(language: string, vocabulary: Vocabulary): LexiconAnalyser {
  const source = sourceOf(language)
  const collector = new Collector(language, vocabulary.headwords, source.compounds ?? false)
  for (const table of source.tables ?? [])
    for (const { lemma, ...entry } of readTable(table, (word) => collector.wants(word)))
      collector.add(lemma, entry)
  const listed = readListed(language)
  for (const { form, headwords, kind } of listed)
    if (kind && collector.wants(headwords)) collector.add(headwords, { kind, forms: [form] })
  if (source.hunspell) collector.addHunspell(packageFolder(`dictionary-${language}`)!)
  const entries = new Map(
    vocabulary.headwords.map((headword) => {
      const found = collector.entriesOf(headword)
      const inflected = source.inflect?.(headword, found) ?? []
      return [headword, [...found, ...inflected, ...ownEntry(headword, found)]] as const
    }),
  )
  return new LexiconAnalyser(language, vocabulary, {
    ...source,
    entriesOf: (headword) => entries.get(headword)!,
    fixed: fixedForms(listed),
  })
}

/** The headword as its own form. */
function ownEntry(headword: string, entries: readonly Entry[]): Entry[] {
  return entries.length > 0 ? [] : [{ kind: 'other', forms: [headword] }]
}

/** Collects what lexicons have for headwords. */
class Collector {
  readonly #language: string
  readonly #wanted = new Map<string, Wanted[]>()
  /** By headword: the entries of what is nearest to it, itself or the longest of its last parts. */
  readonly #found = new Map<string, { distance: number; entries: Entry[] }>()

  constructor(language: string, headwords: readonly string[], compounds: boolean) {
    this.#language = language
    for (const headword of headwords) {
      const longest = compounds ? headword.length - shortestLastPart : 0
      for (let at = 0; at <= Math.max(0, longest); at++)
        this.#wanted
          .getOrInsertComputed(caseKey(headword.slice(at), language), () => [])
          .push({ headword, prefix: headword.slice(0, at) })
    }
  }

  wants(lemma: string): boolean {
    return this.#wanted.has(caseKey(lemma, this.#language))
  }

  add(lemma: string, entry: Entry): void {
    for (const { headword, prefix } of this.#wanted.get(caseKey(lemma, this.#language)) ?? []) {
      // A noun that is spelled as the verb is further from it than the verb: Fragen from fragen.
      const distance = 2 * prefix.length + (prefix + lemma === headword ? 0 : 1)
      const known = this.#found.get(headword)
      if (known && known.distance < distance) continue
      const entries = prefixed(entry, prefix)
      if (known?.distance === distance) known.entries.push(...entries)
      else this.#found.set(headword, { distance, entries })
    }
  }

  /**
   * Adds the forms of the Hunspell dictionary in a folder, but for those of verbs that are known.
   */
  addHunspell(folder: string): void {
    const paths = { affixPath: join(folder, 'index.aff'), dictionaryPath: join(folder, 'index.dic') }
    const wanted = [...this.#wanted.values()].flat()
    const spelled = wanted.map(({ headword, prefix }) => headword.slice(prefix.length))
    const whole = wanted.filter(({ prefix }) => prefix === '').map(({ headword }) => headword)
    for (const [word, forms] of hunspellForms(paths, new Set(whole), new Set(spelled))) {
      const verbs = this.entriesOf(word).filter(({ kind }) => kind === 'verb')
      const known = new Set(verbs.flatMap((entry) => [...entry.forms]))
      this.add(word, { kind: 'other', forms: forms.difference(known) })
    }
  }

  entriesOf(headword: string): readonly Entry[] {
    return this.#found.get(headword)?.entries ?? []
  }
}

/** The entry of a last part as one of the whole word. What comes before may stand apart, too. */
function prefixed(entry: Entry, prefix: string): Entry[] {
  if (prefix === '') return [entry]
  const forms = [...entry.forms]
  const whole: Entry = { kind: entry.kind, forms: forms.map((form) => prefix + form) }
  const isVerb = entry.kind === 'verb' && entry.particle === undefined
  return isVerb ? [whole, { kind: 'verb', forms, particle: prefix }] : [whole]
}

function listedPath(language: string): string {
  return join(import.meta.dirname, 'forms', `${language}.tsv`)
}

/** A line of a forms file. */
export interface ListedForm {
  form: string
  headwords: string
  /** If the form may also be something else, the kind of word that it is here. */
  kind?: Kind
}

/**
 * What the lexicons lack, or do not tell of forms that are ambiguous: forms/<language>.tsv. A line
 * has a form, its words, and the kind of word if other readings count as well. Several words are
 * separated by blanks (im: "in der"), the headwords that one may have by slashes.
 */
export function readListed(language: string): ListedForm[] {
  const path = listedPath(language)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [form, headwords, kind] = line.split('\t') as [string, string, Kind?]
    return { form, headwords, ...(kind && { kind }) }
  })
}

/** The words of the forms that are always these, each with the headwords that it may have. */
export function fixedForms(listed: readonly ListedForm[]): Map<string, string[][]> {
  return new Map(
    listed
      .filter(({ kind }) => kind === undefined)
      .map(({ form, headwords }) => [form, headwords.split(' ').map((word) => word.split('/'))]),
  )
}
