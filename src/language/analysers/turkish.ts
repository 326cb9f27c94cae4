import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { byToken } from './generated-forms.ts'
import { stemsOf, turkishKey, type Stem } from './turkish-roots.ts'
import { isSuffixed } from './turkish-suffixes.ts'

/**
 * The Turkish analyser: a token is a form of the word whose stem is the longest that leaves a chain
 * of suffixes in vowel harmony. The roots of a lexicon compete with those of the catalogue: birim
 * is a word of its own, not a form of bir.
 */
export function openTurkish(vocabulary: Vocabulary): TokenAnalyser {
  const stems = stemsOf(vocabulary.headwords)
  return byToken('tr', (token) => (vocabulary.has(token) ? [] : headwordsOf(turkishKey(token), stems)))
}

/** How a token can be read: a stem, and what follows it. */
interface Reading {
  stem: Stem
  rest: string
}

function headwordsOf(token: string, stems: ReadonlyMap<string, Stem[]>): string[] {
  // What follows an apostrophe is a suffix of a name: Türkiye'de.
  const [word, suffix] = token.split("'") as [string, string?]
  if (suffix !== undefined) return namesOf(readings(word, word.length, stems))
  let unlikely: string[] = []
  for (let end = word.length; end > 0; end--) {
    const found = readings(word, end, stems)
    if (found.length === 0) continue
    const likely = found.filter((reading) => !isUnlikely(reading, found))
    if (likely.length > 0) return namesOf(likely)
    if (unlikely.length === 0) unlikely = namesOf(found)
  }
  return unlikely
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
  return found?.map((stem) => ({ stem, rest })) ?? []
}

/**
 * Whether a reading counts only where there is no other, however short its stem: a verb without
 * suffixes (uç, the tip, is rarely "fly"), and of what the catalogue lacks, the possessives of the
 * first and second person, verbs of -lAmAk in the aorist (bölümler are parts), and nouns that are
 * spelled as a past tense (çıktı).
 */
function isUnlikely({ stem: { headword, kind }, rest }: Reading, all: readonly Reading[]): boolean {
  if (kind === 'verb' && rest === '')
    return headword === undefined || all.some(({ stem }) => stem.kind !== 'verb')
  if (kind === 'noun' && /^[dt][ıiuü]/.test(rest) && all.some(({ stem }) => stem.kind === 'verb')) return true
  if (headword !== undefined) return false
  return kind === 'verb' ? /^r(?![ks]|[ıiuü][mz])/.test(rest) : /^[mn]$/.test(rest)
}

function namesOf(found: readonly Reading[]): string[] {
  return [...new Set(found.flatMap(({ stem }) => stem.headword ?? []))]
}
