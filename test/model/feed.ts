/**
 * Returns an item of `GET /feed` (contract 1.5). The shuffle is not modelled, because it only has
 * to cover every clip once.
 */
import type { FeedItem, FocusWord } from '#contract/feed.ts'
import { feedClip } from './clips.ts'
import type { Indexed, IndexedClip } from './indexed.ts'
import { bestFocus, fitOf, isUnfit, newFocusWords, type Known } from './known.ts'
import type { Entry } from './matching.ts'
import { nfc } from './spelling.ts'
import { LEVELS, type Gloss, type Level } from './source.ts'
import { contextOf } from './sentence-context.ts'
import { shown, spanOf } from './word-clips.ts'
import { meaningOf } from './words.ts'
import { isFilteredOut, type ListFilter } from './list-filter.ts'

export function feedItem(
  clip: IndexedClip,
  { level, gloss, known, context }: { level?: Level; gloss: Gloss; known?: Known; context?: boolean },
  index: Indexed,
): FeedItem {
  const focus = bestFocus(focusWords(clip, level, known, index), clip, index)
  const fit = known === undefined ? {} : fitOf(clip, known, index)
  return {
    clip: feedClip(clip),
    focusWord: focus === undefined ? null : focusWord(focus, clip, gloss, context === true),
    ...fit,
  }
}

/** Returns the words from which the focus word is chosen. */
function focusWords(
  clip: IndexedClip,
  level: Level | undefined,
  known: Known | undefined,
  index: Indexed,
): Entry[] {
  if (known !== undefined) return newFocusWords(clip, known, index)
  const band = bandAbove(level ?? clip.source.level)
  return index.entries.filter(({ word }) => word.level === band)
}

/** The band of the focus word is one level above `level` or the clip's own; for C2, C2. */
const bandAbove = (level: Level): Level => LEVELS[LEVELS.indexOf(level) + 1] ?? 'C2'

/**
 * "The focus word, of the clip's catalogue words in the band: those with `clipCount` ≥ 3 go before
 * the others; among them the one said most often in the clip, then the one with the lower
 * `clipCount`, then the lower `wordId`. `tStart`: where it is first said. Null when none is in the
 * band."
 */
function focusWord(
  { word, said }: NonNullable<ReturnType<typeof bestFocus>>,
  clip: IndexedClip,
  gloss: Gloss,
  hasContext: boolean,
): FocusWord {
  const first = said[0]!
  // "`context=true` adds to each focus word, after `tStart`, its `tEnd`, `form`, `text`, `start`
  // and `end`, as in the occurrences of `/words/{word}/clips`."
  const place = hasContext
    ? { ...shown(first, clip.source.language), ...contextOf(clip, spanOf(clip, first), gloss) }
    : { tStart: first.tStart }
  return {
    word: nfc(word.word),
    wordId: word.wordId,
    level: word.level,
    meaning: meaningOf(word, gloss),
    ...place,
  }
}

/** The feed's filters besides the learner's known words. */
export interface FeedFilter extends Pick<ListFilter, 'channel' | 'maxDurationS'> {
  clipLevel?: Level[]
  hasFocusWord?: boolean
}

/**
 * "`clipLevel`, `channel` and `maxDurationS` … leave clips out, as `exclude` does.
 * `hasFocusWord=true` leaves out clips whose focus word would be null, in the same way."
 */
export function isLeftOut(
  clip: IndexedClip,
  { clipLevel, hasFocusWord, level, ...filter }: FeedFilter & { level?: Level },
  known: Known | undefined,
  index: Indexed,
): boolean {
  const hasNone = () => bestFocus(focusWords(clip, level, known, index), clip, index) === undefined
  return (
    (hasFocusWord === true && hasNone()) ||
    (known !== undefined && isUnfit(fitOf(clip, known, index), known)) ||
    clipLevel?.includes(clip.source.level) === false ||
    isFilteredOut(clip, filter)
  )
}
