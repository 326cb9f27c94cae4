import { caseKey } from '../lower-case.ts'
import { readDataLines } from './data-file.ts'
import { readRules } from './inflection-rules.ts'

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
  return new Map(
    readDataLines('turkish-roots.txt').map((line) => {
      const [root, flags = ''] = line.split(' ') as [string, string?]
      return [turkishKey(root), flags]
    }),
  )
}

type NamedStem = [text: string, stem: Stem]

const rules = readRules('rules/tr.txt')
const vowel = /^[aeıioöuü]/

/** The sets of stems in rules/tr.txt, with what may follow them. */
const sets: readonly { set: string; kind: Kind; before?: RegExp }[] = [
  { set: 'particle', kind: 'particle' },
  { set: 'noun', kind: 'noun' },
  { set: 'changedNoun', kind: 'noun', before: vowel },
  { set: 'verb', kind: 'verb' },
  { set: 'changedVerb', kind: 'verb', before: vowel },
  { set: 'beforeYor', kind: 'verb', before: /^[ıiuü]yor/ },
  { set: 'beforeY', kind: 'verb', before: /^y/ },
]

function stemsOfRoot(root: string, flags = '', headword?: string): NamedStem[] {
  const isInverse = flags.includes('i')
  const stems = rules({ word: [`${root}/${flags}`] })
  return sets.flatMap(({ set, ...stem }) =>
    [...(stems[set] ?? [])].map((text): NamedStem => {
      const named = { ...stem, isInverse, ...(headword !== undefined && { headword }) }
      return [text.replace(/\/.*/, ''), named]
    }),
  )
}
