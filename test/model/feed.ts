/**
 * One item of `GET /feed` (contract 1.5); the shuffle itself is only held to cover every clip once.
 */
import { feedClip } from './clips.ts'
import { clipCountOf, occurrencesOf } from './indexed.ts'
import type { Indexed, IndexedClip } from './indexed.ts'
import type { FeedItem, FocusWord } from './records.ts'
import { nfc } from './spelling.ts'
import { LEVELS } from './source.ts'
import type { Gloss, Level } from './source.ts'
import { meaningOf } from './words.ts'

export function feedItem(
  clip: IndexedClip,
  options: { level?: Level; gloss: Gloss },
  index: Indexed,
): FeedItem {
  const band = bandAbove(options.level ?? clip.source.level)
  return { clip: feedClip(clip), focusWord: focusWord(clip, band, options.gloss, index) }
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
function focusWord(clip: IndexedClip, band: Level, gloss: Gloss, index: Indexed): FocusWord | null {
  const candidates = index.entries
    .map((entry) => ({
      word: entry.word,
      meaning: meaningOf(entry.word, gloss),
      said: occurrencesOf(clip, entry),
      clipCount: clipCountOf(entry, index.clips),
    }))
    .filter((candidate) => candidate.word.level === band && candidate.said.length > 0)
    .toSorted(
      (a, b) =>
        Number(b.clipCount >= 3) - Number(a.clipCount >= 3) ||
        b.said.length - a.said.length ||
        a.clipCount - b.clipCount ||
        a.word.wordId - b.word.wordId,
    )
  const best = candidates[0]
  if (best === undefined) return null
  const { wordId, level } = best.word
  return { word: nfc(best.word.word), wordId, level, meaning: best.meaning, tStart: best.said[0]!.tStart }
}

/** "`clipLevel`, `channel` and `maxDurationS` … leave clips out, as `exclude` does" */
export function isLeftOut(
  { source }: IndexedClip,
  { clipLevel, channel, maxDurationS }: { clipLevel?: Level[]; channel?: string[]; maxDurationS?: number },
): boolean {
  return (
    clipLevel?.includes(source.level) === false ||
    channel?.includes(nfc(source.channel.id)) === false ||
    (maxDurationS !== undefined && source.durationS > maxDurationS)
  )
}
