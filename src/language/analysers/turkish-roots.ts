import { readFileSync } from 'node:fs'
import { caseKey } from '../lower-case.ts'

/** What suffixes a root takes: those of nouns and adjectives, those of verbs, or none. */
export type Kind = 'noun' | 'verb' | 'particle'

/** A form of a root that takes suffixes: kitap or kitab- of kitap, git- or gid- of gitmek. */
export interface Stem {
  /** The word of the catalogue; undefined where only the lexicon has the root. */
  headword?: string
  kind: Kind
  /** Whether front vowels follow it though its own are back ones: saat, saati. */
  isInverse: boolean
  /** What has to follow a stem that differs from the root. */
  before?: RegExp
}

/** Lower case without circumflexes, which many leave out: hikâye, hikaye. */
export function turkishKey(text: string): string {
  return caseKey(text, 'tr').replace(/[âîû]/g, (letter) => letter.normalize('NFD').charAt(0))
}

/**
 * The roots of the catalogue by their stems, and those of the lexicon that may be taken for forms
 * of them: one that begins with no such stem never competes with any.
 */
export function stemsOf(headwords: readonly string[]): Map<string, Stem[]> {
  const lexicon = readLexicon()
  const words = new Map(headwords.map((headword) => [turkishKey(headword), headword]))
  const stems = new Map<string, Stem[]>()
  for (const [word, headword] of words)
    if (/^\p{L}+$/u.test(word)) addAll(stems, stemsOfRoot(word, lexicon.get(word), headword))
  const ownStems = new Set(stems.keys())
  for (const [root, flags] of lexicon)
    if (!words.has(root) && beginsWithAny(root, ownStems)) addAll(stems, stemsOfRoot(root, flags))
  return stems
}

function addAll(stems: Map<string, Stem[]>, named: readonly NamedStem[]): void {
  for (const [text, stem] of named) stems.getOrInsert(text, []).push(stem)
}

function beginsWithAny(root: string, stems: ReadonlySet<string>): boolean {
  for (let end = 1; end <= root.length; end++) if (stems.has(root.slice(0, end))) return true
  return false
}

/** The flags of each root; `turkish-roots.txt` explains them. */
function readLexicon(): Map<string, string> {
  const text = readFileSync(new URL('./turkish-roots.txt', import.meta.url), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const [root, flags = ''] = line.split(' ') as [string, string?]
      return [turkishKey(root), flags]
    }),
  )
}

type NamedStem = [text: string, stem: Stem]

const vowel = /^[aeıioöuü]/

function stemsOfRoot(root: string, flags = '', headword?: string): NamedStem[] {
  const isInverse = flags.includes('i')
  const stem = (kind: Kind, text: string, before?: RegExp): NamedStem => [
    text,
    { kind, isInverse, ...(headword === undefined ? {} : { headword }), ...(before ? { before } : {}) },
  ]
  const pronoun = pronounForms(root)
  if (pronoun.length > 0) return pronoun.map(([text, kind]) => stem(kind, text))
  const verb = /^(.+)m[ae]k$/.exec(root)?.[1]
  const stems: NamedStem[] = []
  if (verb !== undefined && (!flags.includes('n') || flags.includes('v'))) {
    stems.push(stem('verb', verb))
    for (const [text, before] of changedVerbs(verb, flags)) stems.push(stem('verb', text, before))
  }
  if (verb !== undefined && !flags.includes('n')) return stems
  if (flags.includes('x')) return [...stems, stem('particle', root)]
  stems.push(stem('noun', root))
  for (const text of changedNouns(root, flags)) stems.push(stem('noun', text, vowel))
  return stems
}

/** gitmek, gid-er; başlamak, başl-ıyor; demek, di-yor, di-yen. */
function changedVerbs(stem: string, flags: string): [string, RegExp][] {
  if (stem === 'de' || stem === 'ye') return [[`${stem.charAt(0)}i`, /^y/]]
  if (/[ae]$/.test(stem)) return [[stem.slice(0, -1), /^[ıiuü]yor/]]
  return flags.includes('s') && stem.endsWith('t') ? [[`${stem.slice(0, -1)}d`, vowel]] : []
}

const soft: Record<string, string> = { p: 'b', ç: 'c', t: 'd', k: 'ğ', g: 'ğ' }

/** kitap, kitab-ı; renk, reng-i; ağız, ağz-ı; hak, hakk-ı. */
function* changedNouns(root: string, flags: string): Generator<string> {
  if (root === 'su' || root === 'ne') yield `${root}y`
  const short = flags.includes('d') ? root.replace(/[aeıioöuü]([^aeıioöuü])$/, '$1') : root
  if (short !== root) yield short
  const voiced = softens(root, flags) ? soften(short) : short
  if (voiced !== short) yield voiced
  if (flags.includes('g')) yield voiced + voiced.at(-1)!
}

function soften(stem: string): string {
  const last = stem.at(-1)!
  return stem.slice(0, -1) + (stem.endsWith('nk') ? 'g' : (soft[last] ?? last))
}

function softens(root: string, flags: string): boolean {
  if (!/[pçtkg]$/.test(root) || flags.includes('k')) return false
  if (flags.includes('s') || root.endsWith('nk')) return true
  const vowels = root.match(/[aeıioöuü]/g) ?? []
  return vowels.length > 1 && !root.endsWith('g') && !flags.includes('i')
}

/** What becomes of pronouns: ona is no form of on. */
function pronounForms(root: string): [string, Kind][] {
  const forms: Record<string, string> = {
    ben: 'ben beni bana bende benden benim benimle',
    sen: 'sen seni sana sende senden senin seninle',
    biz: 'biz bizi bize bizde bizden bizim bizimle',
    siz: 'siz sizi size sizde sizden sizin sizinle',
    o: 'o onu ona onda ondan onun onunla',
    bu: 'bu bunu buna bunda bundan bunun bununla',
    şu: 'şu şunu şuna şunda şundan şunun şununla',
  }
  const plurals: Record<string, string> = {
    biz: 'bizler',
    siz: 'sizler',
    o: 'onlar',
    bu: 'bunlar',
    şu: 'şunlar',
  }
  const own = (forms[root]?.split(' ') ?? []).map((form): [string, Kind] => [form, 'particle'])
  return plurals[root] === undefined ? own : [...own, [plurals[root], 'noun']]
}
