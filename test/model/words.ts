/**
 * `GET /words` and the Word record (spec 2, contract 1.5).
 */
import { clipCountOf, entriesIn } from './indexed.ts'
import type { Indexed } from './indexed.ts'
import type { Entry } from './matching.ts'
import type { Word } from './records.ts'
import { foldForSearch, nfc } from './spelling.ts'
import type { CatalogueWord, Gloss, Level } from './source.ts'

export type WordsQuery = {
  q?: string
  language: string
  gloss: Gloss
  levels: Level[] | null
  hasClips: boolean
}

/** "returned in the requested gloss language and fall back to English"; "with no English either, `meaning` is """ */
export function meaningOf(word: CatalogueWord, gloss: Gloss): string {
  return nfc(word.meanings[gloss] ?? word.meanings.en ?? '')
}

export function wordRecord(entry: Entry, gloss: Gloss, index: Indexed): Word {
  const { word, wordId, level } = entry.word
  const meaning = meaningOf(entry.word, gloss)
  return { word: nfc(word), wordId, level, meaning, clipCount: clipCountOf(entry, index.clips) }
}

/**
 * "Order: the exact word, words that begin with `q`, then words that contain it, all compared after folding; within each by
 * `clipCount` descending, then `wordId`. Without `q`: `clipCount` descending, then `wordId`. `hasClips=false` lifts the
 * restriction."
 */
export function matchingWords(query: WordsQuery, index: Indexed): Word[] {
  const listed: { rank: number; record: Word }[] = []
  for (const entry of entriesIn(query.language, index.entries)) {
    const rank = rankOf(entry.word.word, query)
    const record = wordRecord(entry, query.gloss, index)
    if (rank === null) continue
    if (query.levels !== null && !query.levels.includes(record.level)) continue
    if (query.hasClips && record.clipCount === 0) continue
    listed.push({ rank, record })
  }
  listed.sort(
    (a, b) => a.rank - b.rank || b.record.clipCount - a.record.clipCount || a.record.wordId - b.record.wordId,
  )
  return listed.map(({ record }) => record)
}

/** 0: "the exact word", 1: begins with `q`, 2: contains it, null: none of these. Forms are not searched. */
function rankOf(word: string, query: WordsQuery): number | null {
  const q = nfc(query.q ?? '').trim()
  if (q === '') return 0 // "nothing left after trimming: the parameter counts as absent"
  const folded = foldForSearch(word, query.language)
  const sought = foldForSearch(q, query.language)
  if (folded === sought) return 0
  if (folded.startsWith(sought)) return 1
  return folded.includes(sought) ? 2 : null
}
