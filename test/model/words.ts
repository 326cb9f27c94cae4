/**
 * `GET /words` and the Word record (spec 2, contract 1.5).
 */
import { clipCountOf, entriesIn } from './indexed.ts'
import type { Indexed } from './indexed.ts'
import type { Entry } from './matching.ts'
import type { Word, WordDetail } from './records.ts'
import { foldForSearch, ignoringCase, nfc } from './spelling.ts'
import type { CatalogueWord, Gloss, Level } from './source.ts'
import { bestTyped, byCodePoint, typedSpellings } from './typed.ts'

export type WordsQuery = {
  q?: string
  language: string
  gloss: Gloss
  levels: Level[] | null
  hasClips: boolean
}

/**
 * "returned in the requested gloss language and fall back to English"; "with no English either,
 * `meaning` is """
 */
export function meaningOf(word: CatalogueWord, gloss: Gloss): string {
  return nfc(word.meanings[gloss] ?? word.meanings.en ?? '')
}

export function wordRecord(entry: Entry, gloss: Gloss, index: Indexed): Word {
  const { word, wordId, level } = entry.word
  const meaning = meaningOf(entry.word, gloss)
  return { word: nfc(word), wordId, level, meaning, clipCount: clipCountOf(entry, index.clips) }
}

/**
 * "Order: the exact word, words that begin with `q`, then words that contain it, all compared after
 * folding; within each by `clipCount` descending, then `wordId`. Without `q`: `clipCount`
 * descending, then `wordId`. `hasClips=false` lifts the restriction."
 */
export function matchingWords(query: WordsQuery, index: Indexed): Word[] {
  const listed: { rank: number; record: Word }[] = []
  for (const entry of entriesIn(query.language, index.entries)) {
    const named = rankOf(entry.word.word, query)
    const typed = named === null ? typedRank(entry, query, index) : null
    const rank = named ?? typed?.rank
    if (rank === undefined) continue
    const record = {
      ...wordRecord(entry, query.gloss, index),
      ...(typed ? { matchedForm: typed.spelling } : {}),
    }
    if (query.levels !== null && !query.levels.includes(record.level)) continue
    if (query.hasClips && record.clipCount === 0) continue
    listed.push({ rank, record })
  }
  listed.sort(
    (a, b) => a.rank - b.rank || b.record.clipCount - a.record.clipCount || a.record.wordId - b.record.wordId,
  )
  return listed.map(({ record }) => record)
}

/**
 * 0: "the exact word", 1: begins with `q`, 2: contains it, null: none of these.
 */
function rankOf(word: string, query: WordsQuery): number | null {
  const q = nfc(query.q ?? '').trim()
  if (q === '') return 0 // "nothing left after trimming: the parameter counts as absent"
  const folded = foldForSearch(word, query.language)
  const sought = foldForSearch(q, query.language)
  if (folded === sought) return 0
  if (folded.startsWith(sought)) return 1
  return folded.includes(sought) ? 2 : null
}

/**
 * 3: one of its other spellings is `q`, 4: begins with it. "A Word found that way carries
 * `matchedForm` … as its last field."
 */
function typedRank(
  entry: Entry,
  query: WordsQuery,
  index: Indexed,
): { rank: number; spelling: string } | null {
  const spellings = typedSpellings(entry.word.word, otherSpellings(entry, index), query.language)
  const best = bestTyped(nfc(query.q ?? '').trim(), spellings, query.language)
  return best && { rank: best.isEqual ? 3 : 4, spelling: best.spelling }
}

/**
 * "The Word record, then `language` and `forms` (every other spelling that names the word …, sorted
 * by code point)."
 */
export function wordDetail(entry: Entry, gloss: Gloss, index: Indexed): WordDetail {
  const { language } = entry
  return { ...wordRecord(entry, gloss, index), language, forms: otherSpellings(entry, index) }
}

/** Each once, ignoring case, as it is written first: in the catalogue, then in the forms file. */
export function otherSpellings({ word, language }: Entry, { source }: Indexed): string[] {
  const same = (a: string, b: string) => ignoringCase(a, language) === ignoringCase(b, language)
  const listed = (source.forms[language] ?? []).filter(([, headword]) => same(headword, word.word))
  const spellings: string[] = []
  for (const form of [...word.forms, ...listed.map(([form]) => form)]) {
    const isKnown = [word.word, ...spellings].some((spelling) => same(spelling, form))
    if (!isKnown) spellings.push(nfc(form).trim())
  }
  return spellings.toSorted(byCodePoint)
}

/**
 * "the words with these ids, …, in the order asked, each once, in whatever language; ids that name
 * nothing are left out"
 */
export function wordsById(ids: number[], gloss: Gloss, index: Indexed): Word[] {
  const found = [...new Set(ids)].map((id) => index.entries.find(({ word }) => word.wordId === id))
  return found.filter((entry) => entry !== undefined).map((entry) => wordRecord(entry, gloss, index))
}
