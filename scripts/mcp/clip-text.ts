/** The compact text in which the tools show clips and words. */
import { highlight } from '#client/helpers/highlight.ts'
import { watchUrlAt } from '#client/helpers/moments.ts'
import type { FeedClip, Occurrence, Word } from '#client/operations.ts'

/** A match in a clip: an occurrence of a word, of a phrase, or of the focus word. */
export type Moment = Pick<Occurrence, 'text' | 'start' | 'end' | 'tStart' | 'sentence'>

/** Returns `go (A1, 120 clips): to move` for a word. */
export function wordText({ word, level, meaning, clipCount }: Word): string {
  const clips = clipCount === 1 ? '1 clip' : `${clipCount} clips`
  return `${word} (${level}, ${clips})${meaning === '' ? '' : `: ${meaning}`}`
}

/** Returns a line with the title, channel, level, length and id of a clip. */
export function clipText({ title, channel, level, durationS, clipId }: FeedClip): string {
  return `${title} (${channel.name}, ${level}, ${minutes(durationS)}) clip ${clipId}`
}

/** Returns the sentence of a match, with the match in bold, its time and its translation. */
export function momentText(clip: FeedClip, moment: Moment): string {
  const { text, start, end, tStart } = moment.sentence ?? moment
  const { before, match, after } = highlight(text, start, end)
  const translation = moment.sentence?.translation
  const sentence = `${before}**${match}**${after}`.replace(/\s+/g, ' ')
  return `${minutes(tStart)} ${sentence}${translation ? ` (${translation})` : ''} ${watchUrlAt(clip, tStart)}`
}

/** Writes a time in seconds as minutes and seconds, such as 1:05. */
export function minutes(timeS: number): string {
  const seconds = Math.floor(timeS)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
