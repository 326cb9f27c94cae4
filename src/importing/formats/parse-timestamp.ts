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
  const match = timestamp.exec(text)
  if (!match) return null
  const minutes = Number(match[2])
  const seconds = Number(match[3])
  if (minutes > 59 || seconds > 59) return null
  const fraction = match[4] === undefined ? 0 : Number(`0.${match[4]}`)
  return roundTime(Number(match[1] ?? 0) * 3600 + minutes * 60 + seconds + fraction)
}
