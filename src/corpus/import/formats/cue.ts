import { roundTime } from '#kit/round.ts'
import { plainText } from './clean-text.ts'
import type { Metadata } from '../video/metadata.ts'

/** A time inside a cue, from the source. */
export interface Anchor {
  /** The number of letters (characters other than whitespace) of the cue's text before it. */
  letters: number
  /** The time, in seconds. */
  time: number
}

/** A cue as parsed, without repairs or omissions. Times are seconds with at most 3 decimals. */
export interface RawCue {
  tStart: number
  /** Null if the source does not contain it. */
  tEnd: number | null
  /** Plain text (see `plainText`), with its line breaks. */
  text: string
  /** The text in the file, with its markup. */
  raw: string
  /** In the order of the text; empty if the source has times only for the whole cue. */
  anchors: Anchor[]
  /** The only marked part of the text, in letters: in karaoke, the word that is being spoken. */
  highlight?: { from: number; to: number }
}

/** A cue, or the reason why it cannot be used. */
export type FoundCue =
  RawCue | 'no times' | 'times cannot be read' | 'before the start of the video' | 'in another language'

export interface ParsedFile {
  cues: FoundCue[]
  metadata?: Metadata
  /** The kind of the track that the file names, if it is not speech: `chapters`. */
  track?: string
}

/** Parses a time in units of which `perSecond` make a second; null if it is not a time. */
export function secondsOf(value: unknown, perSecond = 1): number | null {
  const isTime = typeof value === 'number' && value >= 0 && Number.isFinite(value)
  return isTime ? roundTime(value / perSecond) : null
}

/**
 * Not media-captions' `parseVTTTimestamp` (1.0.4): it rejects hours over 99 and fields of one digit
 * (`1:2:3.4`), and takes several times as long.
 */
const timestamp = /^(?:(\d+):)?(\d{1,2}):(\d{1,2})(?: ?[.,] ?(\d+)(?:[.,]\d*)?|[:;](\d{3}))?$/

/**
 * `00:00:01.650`, `00:01,65`, `00:00:01:650` or `0:00:01` as seconds with at most 3 decimals; null
 * if it is not a time. The letters O and l are read as the digits that they resemble.
 */
export function parseTimestamp(text: string): number | null {
  const digits = text.replace(/o/gi, '0').replace(/[lI]/g, '1')
  const [whole, hours = 0, minutes, seconds, fraction, ms = '0'] = timestamp.exec(digits) ?? []
  const decimals = fraction ?? ms
  if (whole === undefined || Number(minutes) > 59 || Number(seconds) > 59) return null
  return roundTime(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${decimals}`))
}

/** Several words, or more letters than a word of Chinese or Japanese usually has. */
export const severalWords = /\S\s+\S|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{6}/u

/** Returns the number of characters that are not whitespace. */
export function countLetters(text: string): number {
  return text.replace(/\s/g, '').length
}

/** An element around a part of a text. */
const markedPart = /<(u|b|i|c|font)([.\s][^<>]*)?>([^<>]*)<\/\1>/gi

/** The SubStation Alpha codes around such a part: `{\1c&H00FF00&}word{\r}`. */
const beginCode = /\\(?:[1-4]?c&|[biu]1(?!\d))/i
const endCode = /\\(?:r|[1-4]?c(?!&)|[biu]0)/i

function codesToTags(raw: string): string {
  return raw.replace(/\{([^{}]*)\}/g, (_, codes: string) =>
    beginCode.test(codes) ? '<u>' : endCode.test(codes) ? '</u>' : '',
  )
}

/**
 * Finds the only part of a text that is marked up, unless it is the whole text. If several parts
 * are, finds the one whose markup differs from that of the others.
 */
export function findHighlight(rawText: string): RawCue['highlight'] {
  const raw = rawText.includes('{\\') ? codesToTags(rawText) : rawText
  if (!raw.includes('</')) return undefined
  const parts = [...raw.matchAll(markedPart)]
  const byTag = Map.groupBy(parts, ([, name, attributes = '']) => `${name}${attributes}`.toLowerCase())
  const single = [...byTag.values()].filter((group) => group.length === 1)
  if (single.length !== 1 || byTag.size > 2) return undefined
  const { index, 3: content } = single[0]![0]!
  const from = countLetters(plainText(raw.slice(0, index)))
  const letters = countLetters(plainText(content!))
  return letters === 0 ? undefined : { from, to: from + letters }
}

/** Joins pieces to a text, with the times at which they start, as far as these are known. */
export function joinPieces(pieces: readonly { raw: string; time: number | null }[]) {
  let text = ''
  let letters = 0
  const anchors: Anchor[] = []
  for (const { raw, time } of pieces) {
    const plain = plainText(raw)
    if (time !== null) anchors.push({ letters, time })
    text += plain
    letters += countLetters(plain)
  }
  return { text, raw: pieces.map(({ raw }) => raw).join(''), anchors }
}

/**
 * Builds a cue from pieces that start at offsets from its own start, all in milliseconds. json3 and
 * srv3 differ only in their names. The first piece of automatic captions has no offset.
 */
export function timedPieces(
  startMs: unknown,
  durationMs: unknown,
  pieces: readonly { raw: string; offsetMs?: unknown }[],
): FoundCue {
  const tStart = secondsOf(startMs, 1000)
  if (tStart === null) return 'times cannot be read'
  const after = (ms: unknown) =>
    secondsOf(ms) === null ? null : secondsOf(Number(startMs) + Number(ms), 1000)
  const timedPieces = pieces.map(({ raw, offsetMs }) => ({ raw, time: after(offsetMs) }))
  return { tStart, tEnd: after(durationMs), ...joinPieces(timedPieces) }
}
