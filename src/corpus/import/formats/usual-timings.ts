/** A time with full stops between its parts: `00.00.02,000`. */
const dottedTime = String.raw`\d{1,2}\.\d{2}\.\d{2}[.,]\d{1,3}`
/** A time as people type it and translators change it, with spaces beside the signs. */
const time = String.raw`(?:${dottedTime}|[-−]?\d+ ?: ?(?:\d{1,2} ?: ?)?\d[\w:.,;'’]*(?:(?:(?<=[.,])| ?[.,]) ?\d{1,3}(?![\w:]))?)`
/** Arrows with a head, some of them escaped. */
const arrow = String.raw`(?:[-‐–—−=~]{0,3} ?(?:>|＞|&gt;)|[→⟶➔➜⇒])`
/** Dashes, which separate two times only if nothing else is on the line. */
const dash = String.raw`(?:[-‐–—−]{1,3}|[~～])`
const clockTime = String.raw`\d{1,3}:\d{2}:\d{2}[.,]\d{1,3}`

const timings = new RegExp(
  String.raw`^(?:(\d{1,6})[ \t]+(?=\S))?([ \t]*\[?)(?:(${time})[ \t]*${arrow}[ \t]*(${time})|(${clockTime})[ \t]*${dash}[ \t]*(${clockTime})(?=[ \t]*\r?$))`,
  'gm',
)

/** Digits of other scripts, full-width signs, blanks of other widths, and marks of direction. */
const unusualSign = /[^\P{Nd}\d]|[：，．；＞]|[^\P{Zs} ]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** A timing line up to its first letter, and the number above it. */
const anyTiming =
  /^(?:[^\p{L}\p{Nd}\n]{0,9}\p{Nd}{1,9}[^\p{L}\p{Nd}\n]{0,9}\n)?[^\p{L}\p{Nd}\n]{0,9}\p{Nd}{1,9}[^\S\n]?[:：.．][^\S\n]?\p{Nd}{1,2}[^\p{L}\n]{0,30}(?:[:：.．]\p{Nd}|[>＞→])[^\p{L}\n]*/gmu

/** Returns the text with ASCII digits and signs in its timing lines. */
function withUsualSigns(text: string): string {
  if (!unusualSign.test(text)) return text
  return text.replace(anyTiming, (times) =>
    times
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '')
      .replace(/[٫،]/g, ',')
      .replace(/\p{Nd}/gu, (digit) => String(valueOf(digit))),
  )
}

/** Returns the value of a digit. The zero of a script is at a multiple of 16, or 6 after one. */
function valueOf(digit: string): number {
  const place = digit.codePointAt(0)! % 16
  const isAtMultiple = /\p{Nd}/u.test(String.fromCodePoint(digit.codePointAt(0)! - place))
  return isAtMultiple ? place : place - 6
}

/**
 * Returns the text with timing lines as in SRT and WebVTT: `00:00:01,000 --> 00:00:03,500`. A
 * number before the times of a cue gets its own line.
 */
export function usualTimings(text: string): string {
  return withUsualSigns(text).replace(
    timings,
    (_, number = '', indent: string, start?: string, end?: string, clockStart = '', clockEnd = '') =>
      `${number && `${number}\n`}${indent}${plainTime(start ?? clockStart)} --> ${plainTime(end ?? clockEnd)}`,
  )
}

const dottedClock = /^(\d{1,2})\.(\d{2})\.(?=\d{2}[.,])/

function plainTime(time: string): string {
  const plainText = time
    .replaceAll('−', '-')
    .replace(/['’]/g, '.')
    .replace(/ ?([.,:]) ?/g, '$1')
  return plainText.replace(dottedClock, '$1:$2:')
}
