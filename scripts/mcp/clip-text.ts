/** The compact text in which the tools show clips and words. */
import { highlight } from '#client/helpers/highlight.ts'
import { watchUrlAt } from '#client/helpers/moments.ts'
import type { FeedClip, Occurrence, Word } from '#client/operations.ts'
import { minutes } from '#client/player/minutes.ts'
import { countText } from '#kit/count-text.ts'

/** A match in a clip: an occurrence of a word, of a phrase, or of the focus word. */
export type Moment = Pick<Occurrence, 'text' | 'start' | 'end' | 'tStart' | 'sentence'>

/** Returns `go (A1, 120 clips): to move` for a word. */
export function wordText({ word, level, meaning, clipCount }: Word): string {
  return withMeaning(`${word} (${level}, ${countText(clipCount, 'clip')})`, meaning)
}

/** Adds a meaning, if there is one. */
export function withMeaning(text: string, meaning: string): string {
  return meaning === '' ? text : `${text}: ${oneLine(meaning)}`
}

/**
 * Returns a line with the title, channel, level and length of a clip, and with a link to a time in
 * it. The other tools take the link for the clip, so that it needs no id.
 */
export function clipText(clip: FeedClip, timeS = 0): string {
  const { title, channel, level, durationS, watchUrl } = clip
  const link = timeS < 1 ? watchUrl : watchUrlAt(clip, timeS)
  return `${oneLine(title)} (${oneLine(channel.name)}, ${level}, ${minutes(durationS)}) ${link}`
}

/** Returns the sentence of a match, with the match in bold, its time and its translation. */
export function momentText(moment: Moment): string {
  const { text, start, end, tStart } = moment.sentence ?? moment
  const { before, match, after } = highlight(text, start, end)
  return lineText(tStart, `${before}**${match}**${after}`, moment.sentence?.translation)
}

/** Returns a line with its time and, in parentheses, its translation. */
export function lineText(timeS: number, text: string, translation?: string | null): string {
  return `${minutes(timeS)} ${withTranslation(text, translation)}`
}

/** Adds a translation in parentheses, if there is one. */
export function withTranslation(text: string, translation: string | null | undefined): string {
  return oneLine(translation ? `${text} (${translation})` : text)
}

/** Joins the lines of an answer. Empty ones are left out. */
export function joinLines(...lines: (string | false | null | undefined)[]): string {
  return lines.filter(Boolean).join('\n')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
