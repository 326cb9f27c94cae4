import { roundTime } from '#kit/round.ts'

/**
 * Not media-captions' `parseVTTTimestamp` (1.0.4): it rejects hours over 99 and fields of one digit
 * (`1:2:3.4`), and takes several times as long.
 */
const timestamp = /^(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9}))?$/

/**
 * `00:00:01.650`, `00:01,65` or `0:00:01` as seconds with at most 3 decimals; null if it is no
 * time.
 */
export function parseTimestamp(text: string): number | null {
  if (text.length === 12) {
    const ms = fixedMs(text)
    if (ms >= 0) return ms / 1000
  }
  const match = timestamp.exec(text)
  if (!match) return null
  const minutes = Number(match[2])
  const seconds = Number(match[3])
  if (minutes > 59 || seconds > 59) return null
  const fraction = match[4] === undefined ? 0 : Number(`0.${match[4]}`)
  return roundTime(Number(match[1] ?? 0) * 3600 + minutes * 60 + seconds + fraction)
}

/**
 * `00:00:01.650` in milliseconds, digit by digit, which takes a tenth of the time of the
 * expression; nearly all times have this form. −1 for others.
 */
function fixedMs(text: string): number {
  const separator = text.charCodeAt(8)
  if (text.charCodeAt(2) !== 58 || text.charCodeAt(5) !== 58) return -1
  if (separator !== 44 && separator !== 46) return -1
  const hours = twoDigits(text, 0)
  const minutes = twoDigits(text, 3)
  const seconds = twoDigits(text, 6)
  const tens = twoDigits(text, 9)
  const last = text.charCodeAt(11) - 48
  if (hours < 0 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59 || tens < 0) return -1
  if (last < 0 || last > 9) return -1
  return hours * 3_600_000 + minutes * 60_000 + seconds * 1000 + tens * 10 + last
}

function twoDigits(text: string, at: number): number {
  const first = text.charCodeAt(at) - 48
  const second = text.charCodeAt(at + 1) - 48
  return first >= 0 && first <= 9 && second >= 0 && second <= 9 ? first * 10 + second : -1
}
