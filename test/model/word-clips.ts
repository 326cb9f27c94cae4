/**
 * `GET /words/{word}/clips` (contract 1.5).
 */
import { feedClip } from './clips.ts'
import { clipCountOf, entriesIn, occurrencesOf } from './indexed.ts'
import type { Indexed, IndexedClip } from './indexed.ts'
import { wordIdsAt } from './matching.ts'
import type { Entry } from './matching.ts'
import type { Word, WordClipItem } from './records.ts'
import { ignoringCase, keyOf } from './spelling.ts'
import { LEVELS } from './source.ts'
import type { Gloss, Level } from './source.ts'
import { bestTyped, pathSpellings } from './typed.ts'
import { otherSpellings, wordRecord } from './words.ts'

export type WordClipsQuery = { language: string; gloss: Gloss; levels: Level[] | null }

/** All clips of a word, in order; null is 404. "Known word without clips: an empty page." */
export function wordClips(
  asked: string,
  query: WordClipsQuery,
  index: Indexed,
): { word: Word; items: WordClipItem[] } | null {
  const entry = entryNamed(asked, query.language, index)
  if (entry === null) return null
  const items: WordClipItem[] = []
  for (const clip of index.clips) {
    // "`level` (levels of the **clips**, comma separated; all)"
    if (query.levels !== null && !query.levels.includes(clip.source.level)) continue
    const said = occurrencesOf(clip, entry)
    if (said.length === 0) continue
    items.push({
      clip: feedClip(clip),
      knownShare: knownShare(clip, entry.word.level, index),
      occurrenceCount: said.length,
      occurrences: said.slice(0, 3), // "`occurrences` holds the first 3, in time order"
    })
  }
  return { word: wordRecord(entry, query.gloss, index), items: items.toSorted(easiestFirst) }
}

/**
 * "a headword or any of its listed forms, ignoring case; digits name a `wordId` when no word is
 * spelled so. Where several fit: headword before form, then the higher `clipCount`, then the lower
 * `wordId`."
 */
export function entryNamed(asked: string, language: string, index: Indexed): Entry | null {
  const fitting: { rank: number; clipCount: number; entry: Entry }[] = []
  for (const entry of entriesIn(language, index.entries)) {
    const rank = rankOf(asked, entry) ?? (isTyped(asked, entry, index) ? 4 : null)
    if (rank !== null) fitting.push({ rank, clipCount: clipCountOf(entry, index.clips), entry })
  }
  fitting.sort(
    (a, b) => a.rank - b.rank || b.clipCount - a.clipCount || a.entry.word.wordId - b.entry.word.wordId,
  )
  if (fitting.length > 0) return fitting[0]!.entry
  if (!/^[1-9][0-9]*$/.test(asked)) return null
  return entriesIn(language, index.entries).find((entry) => String(entry.word.wordId) === asked) ?? null
}

/** "accept the same spellings after headwords and forms" */
function isTyped(asked: string, entry: Entry, index: Indexed): boolean {
  const spellings = pathSpellings(entry.word.word, otherSpellings(entry, index), entry.language)
  return bestTyped(asked, spellings, entry.language)?.isEqual === true
}

/**
 * 0: the headword ignoring case, 1: its key, 2: a form ignoring case, 3: the key of a form, null:
 * none of these.
 */
function rankOf(asked: string, entry: Entry): number | null {
  const spelling = ignoringCase(asked, entry.language)
  const key = keyOf(asked, entry.language)
  if (ignoringCase(entry.word.word, entry.language) === spelling) return 0
  if (key !== '' && entry.headwordKey === key) return 1
  if (entry.forms.some((form) => ignoringCase(form, entry.language) === spelling)) return 2
  return key !== '' && entry.formKeys.includes(key) ? 3 : null
}

/**
 * "of the clip's tokens that are indexed under catalogue words, the share (0–1, 2 decimals, half
 * up) whose level — the lowest of their words — is at or below the level of the word asked for"
 */
function knownShare(clip: IndexedClip, level: Level, index: Indexed): number {
  let tokens = 0
  let known = 0
  for (const cue of clip.cues) {
    for (let i = 0; i < cue.tokens.length; i++) {
      const levels = wordIdsAt(i, cue.runs).map((id) => levelOf(id, index))
      if (levels.length === 0) continue
      tokens++
      if (Math.min(...levels) <= LEVELS.indexOf(level)) known++
    }
  }
  return halfUp(known, tokens, 2)
}

function levelOf(wordId: number, index: Indexed): number {
  return LEVELS.indexOf(index.entries.find((entry) => entry.word.wordId === wordId)!.word.level)
}

/** `part / whole` rounded half up, in whole numbers so that a half is a half; 0 of nothing. */
export function halfUp(part: number, whole: number, decimals: number): number {
  if (whole === 0) return 0
  const scale = 10 ** decimals
  return Math.floor((2 * scale * part + whole) / (2 * whole)) / scale
}

/**
 * "easiest first: by level, then knownShare (as shown) descending, then occurrenceCount descending,
 * then clipId"
 */
function easiestFirst(a: WordClipItem, b: WordClipItem): number {
  return (
    LEVELS.indexOf(a.clip.level) - LEVELS.indexOf(b.clip.level) ||
    b.knownShare - a.knownShare ||
    b.occurrenceCount - a.occurrenceCount ||
    (a.clip.clipId < b.clip.clipId ? -1 : 1)
  )
}
