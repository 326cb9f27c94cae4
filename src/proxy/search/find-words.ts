import { byCodePoint, codePointLength } from '#kit/code-points.ts'
import { searchFold, spellingFolds } from '#language/folds.ts'
import type { Release } from '#release/release.ts'
import type { SpellingsTable } from '#release/spellings/reader.ts'
import type { WordTable } from '#release/words/reader.ts'

/** The words that a search may find. */
export interface WordFilter {
  language: string
  /** Bit 0 is A1. */
  levelMask: number
  /** Whether to exclude words without clips. */
  hasClips: boolean
}

/** The ranks of words, best first (contract 1.5); 0 for no match. */
const ranks = { exact: 1, spelled: 2, beginning: 3, containing: 4, spelledBeginning: 5 }
const spelledRanks = [ranks.spelled, ranks.spelledBeginning]

/**
 * Returns the words that match `q`, by rank, then in the order of rows: by `clipCount` descending,
 * then `wordId`. All words match an empty text. `matchedForm` is the spelling that matched, if it
 * is not the headword that search compares.
 */
export function findWords(
  release: Release,
  q: string,
  filter: WordFilter,
  { offset, limit }: { offset: number; limit: number },
): { words: { row: number; matchedForm?: string | undefined }[]; totalCount: number } {
  const { language } = filter
  const { first, end } = release.words.rangeOf(language)
  const rankOf = ranksOf(release.spellings, q, language, { first, end })
  const matchingRows = rowsByRank(rankOf, release.words, filter)
  const page = matchingRows.slice(offset, offset + limit)
  const spelledRows = page.filter((row) => spelledRanks.includes(rankOf[row - first]!))
  const forms = matchedForms(release.spellings, spelledRows, q, language)
  return { words: page.map((row) => ({ row, matchedForm: forms.get(row) })), totalCount: matchingRows.length }
}

/**
 * Returns the rows of the words with a rank, the best rank first, and ascending within each rank.
 * `rankOf` has the rank of every word of a language: 1 is the best, and 0 means no match.
 */
export function rowsByRank(
  rankOf: Uint8Array,
  words: WordTable,
  { language, levelMask, hasClips }: WordFilter,
): number[] {
  const { first, clipsEnd, end } = words.rangeOf(language)
  const byRank: number[][] = []
  for (let row = first; row < (hasClips ? clipsEnd : end); row++) {
    const rank = rankOf[row - first]!
    if (rank > 0 && ((levelMask >> words.levels[row]!) & 1) === 1) (byRank[rank] ??= []).push(row)
  }
  return byRank.flat()
}

/** Returns the rank of every word in a language, in the order of rows; 0 if it does not match. */
function ranksOf(
  spellings: SpellingsTable,
  q: string,
  language: string,
  { first, end }: { first: number; end: number },
): Uint8Array {
  const rankOf = new Uint8Array(end - first)
  if (q === '') return rankOf.fill(ranks.exact)
  const offer = (row: number, rank: number) => {
    const known = rankOf[row - first]!
    if (known === 0 || rank < known) rankOf[row - first] = rank
  }
  spellings.eachHolding(searchFold(q, language), language, (row, isAll, isBeginning) =>
    offer(row, isAll ? ranks.exact : isBeginning ? ranks.beginning : ranks.containing),
  )
  eachSpelled(spellings, q, language, (entry, isEqual) =>
    offer(spellings.row(entry), isEqual ? ranks.spelled : ranks.spelledBeginning),
  )
  return rankOf
}

/** Calls `onMatch` for every spelling that starts with `q`, and tells whether it equals `q`. */
function eachSpelled(
  spellings: SpellingsTable,
  q: string,
  language: string,
  onMatch: (entry: number, isEqual: boolean) => void,
): void {
  for (const foldedQuery of spellingFolds(q, language)) {
    const { from, exactEnd, to } =
      foldedQuery === '' ? { from: 0, exactEnd: 0, to: 0 } : spellings.find(foldedQuery, language)
    for (let entry = from; entry < to; entry++) if (!spellings.isBare(entry)) onMatch(entry, entry < exactEnd)
  }
}

/** Returns the matching spelling for each row: the one that equals `q`, or else the shortest. */
function matchedForms(
  spellings: SpellingsTable,
  rows: readonly number[],
  q: string,
  language: string,
): Map<number, string> {
  const matching = new Map(rows.map((row): [number, Match[]] => [row, []]))
  if (rows.length > 0)
    eachSpelled(spellings, q, language, (entry, isEqual) => {
      matching.get(spellings.row(entry))?.push({ spelling: spellings.spelling(entry), isEqual })
    })
  return new Map(matching.entries().map(([row, matches]) => [row, matches.sort(compareMatches)[0]!.spelling]))
}

interface Match {
  spelling: string
  isEqual: boolean
}

function compareMatches(a: Match, b: Match): number {
  return (
    Number(b.isEqual) - Number(a.isEqual) ||
    codePointLength(a.spelling) - codePointLength(b.spelling) ||
    byCodePoint(a.spelling, b.spelling)
  )
}
