import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { byToken } from './by-token.ts'
import { stemsOf, turkishKey, type Stem } from './turkish-roots.ts'
import { isSuffixed } from './turkish-suffixes.ts'

/**
 * The Turkish analyser: a token is a form of the word whose stem is the longest that leaves a chain
 * of suffixes in vowel harmony. The roots of a lexicon compete with those of the catalogue: birim
 * is a word of its own, not a form of bir.
 */
export function openTurkish(vocabulary: Vocabulary): TokenAnalyser {
  const stems = stemsOf(vocabulary.headwords)
  return byToken('tr', (token) => {
    const found = vocabulary.has(token) ? [] : headwordsOf(turkishKey(token), stems)
    return found.map((headword) => [headword])
  })
}

/** How a token can be read: a stem, and what follows it. */
interface Reading {
  stem: Stem
  /** The stem as it is spelled. */
  text: string
  rest: string
}

function headwordsOf(token: string, stems: ReadonlyMap<string, Stem[]>): string[] {
  // What follows an apostrophe is a suffix of a name: Türkiye'de.
  const [word, suffix] = token.split("'") as [string, string?]
  if (suffix !== undefined) return namesOf(readings(word, word.length, stems))
  const all = Array.from({ length: word.length }, (_, i) => readings(word, word.length - i, stems))
  const likely = all.map((found) => found.filter((reading) => !isUnlikely(reading, found, stems)))
  const [longest, ...shorter] = likely.filter((found) => found.length > 0)
  if (!longest) return namesOf(all.find((found) => found.length > 0) ?? [])
  const outside = longest.find(({ stem }) => stem.headword === undefined)
  if (!outside || namesOf(longest).length > 0) return namesOf(longest)
  // A root that the catalogue lacks may be a form of a word that it has.
  const forms = shorter.map((found) => found.filter((reading) => isFormOf(reading, outside)))
  return namesOf(forms.find((found) => namesOf(found).length > 0) ?? [])
}

/**
 * Whether a root that the catalogue lacks is rather a form of the word of a reading: içinde of iç,
 * geçer of geçmek, or a voice of a verb.
 */
function isFormOf({ stem: { kind }, rest }: Reading, root: Reading): boolean {
  if (root.stem.kind === 'verb') return kind === 'verb'
  if (root.rest !== '') return false
  return rest.length > 2 || (kind === 'verb' && /^(?:[dt][ıiuü]|[aeıiuü]r|[ae]n)$/.test(rest))
}

/** The readings by stems of one length. */
function readings(word: string, end: number, stems: ReadonlyMap<string, Stem[]>): Reading[] {
  const [text, rest] = [word.slice(0, end), word.slice(end)]
  const found = stems
    .get(text)
    ?.filter(
      ({ kind, isInverse, before }) =>
        (before?.test(rest) ?? true) && isSuffixed(text, rest, kind, isInverse),
    )
  return found?.map((stem) => ({ stem, text, rest })) ?? []
}

/**
 * Whether a reading counts only where there is no other, however short its stem: a verb without
 * suffixes (uç, the tip, is rarely "fly"), and of what the catalogue lacks, the possessives of the
 * first and second person, verbs in the aorist (of -lAmAk in the catalogue, too: bölümler are
 * parts), and nouns that are spelled as a past tense (çıktı).
 */
function isUnlikely(
  { stem: { headword, kind }, text, rest }: Reading,
  all: readonly Reading[],
  stems: ReadonlyMap<string, Stem[]>,
): boolean {
  if (kind === 'verb' && rest === '')
    return headword === undefined || all.some(({ stem }) => stem.kind !== 'verb')
  if (kind === 'noun' && /^[dt][ıiuü]/.test(rest) && all.some(({ stem }) => stem.kind === 'verb')) return true
  if (kind === 'verb') return isPlural(text, rest, stems) || (headword === undefined && aorist.test(rest))
  return headword === undefined ? /^[mn]$/.test(rest) : rest === 'n'
}

const aorist = /^r(?![ks])(?![ıiuü][mz]$)/

/** yaralar are wounds, rather than a form of yaralamak. */
function isPlural(text: string, rest: string, stems: ReadonlyMap<string, Stem[]>): boolean {
  if (!/l[ae]$/.test(text) || !aorist.test(rest)) return false
  return stems.get(text.slice(0, -2))?.some(({ kind }) => kind === 'noun') ?? false
}

function namesOf(found: readonly Reading[]): string[] {
  return [...new Set(found.flatMap(({ stem }) => stem.headword ?? []))]
}
