/**
 * `GET /words/{word}/clips` (contract 1.5).
 */
import type { Occurrence as WordOccurrence, WordClipPage } from '#contract/word-clips.ts'
import type { FoundWord, Word } from '#contract/word.ts'
import { feedClip } from './clips.ts'
import {
  clipCountOf,
  entriesIn,
  occurrencesOf,
  type Indexed,
  type IndexedClip,
  type Occurrence,
} from './indexed.ts'
import type { Entry } from './matching.ts'
import { endOf, startOf } from './places.ts'
import { contextOf, type Span } from './sentence-context.ts'
import { ignoringCase, nfc, stripPunctuation } from './spelling.ts'
import { fitOf, isUnfit, type Known } from './known.ts'
import { isFilteredOut, type ListFilter } from './list-filter.ts'
import { LEVELS, type Gloss, type Level } from './source.ts'
import { foldsTyped, typedSpellings } from './typed.ts'
import { otherSpellings, wordRecord } from './words.ts'

export type WordClipsQuery = {
  language: string
  gloss: Gloss
  levels: Level[] | null
  known?: Known
  filter?: ListFilter
  context?: boolean
}

export type WordClipItem = WordClipPage['items'][number]

/**
 * Returns all clips of a word, in order; null means 404. "Known word without clips: an empty page."
 */
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
    if (isFilteredOut(clip, query.filter ?? {})) continue
    const said = occurrencesOf(clip, entry)
    if (said.length === 0) continue
    items.push({
      clip: feedClip(clip),
      knownShare: knownShare(clip, entry.word.level, index),
      occurrenceCount: said.length,
      // "`occurrences` holds the first 3, in time order"
      occurrences: said.slice(0, 3).map((occurrence) => ({
        ...shown(occurrence, clip.source.language),
        ...(query.context && contextOf(clip, spanOf(clip, occurrence), query.gloss)),
      })),
    })
  }
  const ordered = items.toSorted(easiestFirst)
  const { known } = query
  return {
    word: wordRecord(entry, query.gloss, index),
    items: known === undefined ? ordered : ordered.flatMap((item) => fitting(item, known, index)),
  }
}

/** "it replaces the one by level, in its place there", and none for a clip that is left out */
function fitting(item: WordClipItem, known: Known, index: Indexed): WordClipItem[] {
  const clip = index.clips.find(({ clipId }) => clipId === item.clip.clipId)!
  const fit = fitOf(clip, known, index)
  return isUnfit(fit, known) ? [] : [{ ...item, ...fit }]
}

/** "`start` and `end` the place of the form in it in code points" */
export function shown({ cue, first, last, ...rest }: Occurrence, language: string): WordOccurrence {
  return { ...rest, start: startOf(cue, first, language), end: endOf(cue, last, language) }
}

export function spanOf({ cues }: IndexedClip, { cue, first, last }: Occurrence): Span {
  const number = cues.indexOf(cue)
  return { first: [number, first], last: [number, last] }
}

/** "digits name a `wordId` when no word is spelled so" */
export function entryNamed(asked: string, language: string, index: Indexed): Entry | null {
  const [best] = entriesSpelled(asked, language, index)
  if (best) return best
  if (!/^[1-9][0-9]*$/.test(asked)) return null
  return entriesIn(language, index.entries).find((entry) => String(entry.word.wordId) === asked) ?? null
}

/**
 * The words with a spelling, best first: "a headword or any other spelling, folded as `q` is when
 * nothing is spelled exactly so, and with hyphen and space the same. … Where several fit: headword
 * before other spelling, exact before folded, then the higher `clipCount`, then the lower
 * `wordId`."
 */
export function entriesSpelled(asked: string, language: string, index: Indexed): Entry[] {
  const own = entriesIn(language, index.entries).map((entry) => {
    const others = typedSpellings(entry.word.word, otherSpellings(entry, index), language)
    return { entry, headword: entry.word.word, others, clipCount: clipCountOf(entry, index.clips) }
  })
  const isSame = (spelling: string) => ignoringCase(spelling, language) === ignoringCase(asked, language)
  const spaced = (text: string) => ignoringCase(text, language).replace(/[-‐‑\s]+/gu, ' ')
  const isExact = (spelling: string) => spaced(spelling) === spaced(asked)
  const isAlike = (spelling: string) => isNamedAlike(spelling, asked, language)
  for (const fits of [isExact, isAlike]) {
    const fitting = own.flatMap(({ entry, headword, others, clipCount }) => {
      const rank = [isSame(headword), fits(headword), others.some(isSame), others.some(fits)].indexOf(true)
      return rank < 0 ? [] : [{ entry, rank, clipCount }]
    })
    fitting.sort(
      (a, b) => a.rank - b.rank || b.clipCount - a.clipCount || a.entry.word.wordId - b.entry.word.wordId,
    )
    if (fitting.length > 0) return fitting.map(({ entry }) => entry)
  }
  return []
}

/** After folding, with or without the punctuation around the parts of either. */
function isNamedAlike(spelling: string, asked: string, language: string): boolean {
  const [these, those] = [spelling, asked].map((text) => {
    const folds = foldsTyped(text, language)
    const bare = folds.map((folded) => folded.split(' ').map(stripPunctuation).filter(Boolean).join(' '))
    return [...folds, ...bare].filter((folded) => folded !== '')
  }) as [string[], string[]]
  return these.some((folded) => those.includes(folded))
}

/**
 * "of the clip's tokens that are indexed under catalogue words, the share (0–1, 2 decimals, half
 * up) whose level — the lowest of their words — is at or below the level of the word asked for"
 */
function knownShare(clip: IndexedClip, level: Level, index: Indexed): number {
  return fitOf(clip, { levels: [level], wordIds: [], exceptIds: [], packedIds: [] }, index).knownShare
}

/** Easiest first: by level, knownShare descending, occurrenceCount descending, clipId. */
function easiestFirst(a: WordClipItem, b: WordClipItem): number {
  return (
    LEVELS.indexOf(a.clip.level) - LEVELS.indexOf(b.clip.level) ||
    b.knownShare - a.knownShare ||
    b.occurrenceCount - a.occurrenceCount ||
    (a.clip.clipId < b.clip.clipId ? -1 : 1)
  )
}

/**
 * "for each, in the order sent, the Word that `/words/{word}` would give, with `spelling` (as sent,
 * NFC) as its last field; spellings that name nothing are left out; one sent twice comes once"
 */
export function wordsBySpelling(
  spellings: string[],
  { language, gloss }: { language: string; gloss: Gloss },
  index: Indexed,
): FoundWord[] {
  return [...new Set(spellings.map((spelling) => nfc(spelling).trim()))].flatMap((spelling) => {
    const entry = entryNamed(spelling, language, index)
    return entry === null ? [] : [{ ...wordRecord(entry, gloss, index), spelling }]
  })
}
