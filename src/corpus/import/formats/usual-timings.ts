const digit = '[\\d０-９]'
/** A time with full stops between its parts: 00.00.02,000. */
const dottedTime = String.raw`${digit}{1,2}\.${digit}{2}\.${digit}{2}[.,]${digit}{1,3}`
/** A time as people type it: full-width signs, an apostrophe or a space beside the fraction. */
const time = String.raw`(?:${dottedTime}|[-−]?${digit}+ ?[:：] ?${digit}[\w０-９:：.,;，．；'’]*(?:(?:(?<=[.,，．])| ?[.,，．]) ?${digit}{1,3}(?![\w:：]))?)`
/** Arrows with a head, some of them escaped. */
const arrow = String.raw`(?:[-‐–—−=~]{0,3} ?(?:>|＞|&gt;)|[→⟶➔➜⇒])`
/** Dashes, which part two times only in a line of nothing else. */
const dash = String.raw`(?:[-‐–—−]{1,3}|[~～])`
const clockTime = String.raw`${digit}{1,3}[:：]${digit}{2}[:：]${digit}{2}[.,，．]${digit}{1,3}`

const timings = new RegExp(
  String.raw`^([ \t]*\[?)(?:(${time})[ \t]*${arrow}[ \t]*(${time})|(${clockTime})[ \t]*${dash}[ \t]*(${clockTime})(?=[ \t]*\r?$))`,
  'gm',
)

/** The text with lines of times as SRT and WebVTT write them: `00:00:01,000 --> 00:00:03,500`. */
export function usualTimings(text: string): string {
  return text.replace(
    timings,
    (_, indent: string, start?: string, end?: string, clockStart = '', clockEnd = '') =>
      `${indent}${plainTime(start ?? clockStart)} --> ${plainTime(end ?? clockEnd)}`,
  )
}

const dottedClock = /^(\d{1,2})\.(\d{2})\.(?=\d{2}[.,])/
const usualTime = /^-?[\d:.,]+$/

function plainTime(time: string): string {
  const plainText = usualTime.test(time) ? time : withUsualSigns(time)
  return plainText.replace(dottedClock, '$1:$2:')
}

function withUsualSigns(time: string): string {
  return time
    .normalize('NFKC')
    .replaceAll('−', '-')
    .replace(/['’]/g, '.')
    .replace(/ ?([.,:]) ?/g, '$1')
}
