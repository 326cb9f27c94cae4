/**
 * One item of `GET /feed` (contract 1.5); the shuffle itself is only held to cover every clip once.
 */
import { feedClip } from './clips.ts'
import type { Indexed, IndexedClip } from './indexed.ts'
import { bestFocus, fitOf, isUnfit, newFocusWords } from './known.ts'
import type { Known } from './known.ts'
import type { Entry } from './matching.ts'
import type { FeedItem, FocusWord } from './records.ts'
import { nfc } from './spelling.ts'
import { LEVELS } from './source.ts'
import type { Gloss, Level } from './source.ts'
import { meaningOf } from './words.ts'

export function feedItem(
  clip: IndexedClip,
  { level, gloss, known }: { level?: Level; gloss: Gloss; known?: Known },
  index: Indexed,
): FeedItem {
  if (known !== undefined) {
    const words = newFocusWords(clip, known, index)
    return {
      clip: feedClip(clip),
      focusWord: focusWord(words, clip, gloss, index),
      ...fitOf(clip, known, index),
    }
  }
  const band = bandAbove(level ?? clip.source.level)
  const words = index.entries.filter(({ word }) => word.level === band)
  return { clip: feedClip(clip), focusWord: focusWord(words, clip, gloss, index) }
}

/**
 * "The band of the focus word: one level above `level`; without `level`, one above the clip's own;
 * for C2, C2."
 */
function bandAbove(level: Level): Level {
  return LEVELS[LEVELS.indexOf(level) + 1] ?? 'C2'
}

/**
 * "The focus word, of the clip's catalogue words in the band: those with `clipCount` ≥ 3 go before
 * the others; among them the one said most often in the clip, then the one with the lower
 * `clipCount`, then the lower `wordId`. `tStart`: where it is first said. Null when none is in the
 * band."
 */
function focusWord(words: Entry[], clip: IndexedClip, gloss: Gloss, index: Indexed): FocusWord | null {
  const best = bestFocus(words, clip, index)
  if (best === undefined) return null
  const { wordId, level } = best.word
  const meaning = meaningOf(best.word, gloss)
  return { word: nfc(best.word.word), wordId, level, meaning, tStart: best.said[0]!.tStart }
}

/** "`clipLevel`, `channel` and `maxDurationS` … leave clips out, as `exclude` does" */
export function isLeftOut(
  clip: IndexedClip,
  { clipLevel, channel, maxDurationS }: { clipLevel?: Level[]; channel?: string[]; maxDurationS?: number },
  known: Known | undefined,
  index: Indexed,
): boolean {
  const { source } = clip
  return (
    (known !== undefined && isUnfit(fitOf(clip, known, index), known)) ||
    clipLevel?.includes(source.level) === false ||
    channel?.includes(nfc(source.channel.id)) === false ||
    (maxDurationS !== undefined && source.durationS > maxDurationS)
  )
}
