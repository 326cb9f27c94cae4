import { roundTime } from '#kit/round.ts'

/*
 * Why not media-captions' `parseVTTTimestamp` (1.0.4): it refuses hours of three digits and takes 1 to 3 decimals as they fall (`,5`
 * is half a second in SRT files, as it is here), and it was all that was taken from it.
 */
const timestamp = /^(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9}))?$/

/** `00:00:01.650`, `00:01,65` or `0:00:01` as seconds with at most 3 decimals; null for what is no time. */
export function parseTimestamp(text: string): number | null {
  const match = timestamp.exec(text)
  if (!match) return null
  const minutes = Number(match[2])
  const seconds = Number(match[3])
  if (minutes > 59 || seconds > 59) return null
  const fraction = match[4] === undefined ? 0 : Number(`0.${match[4]}`)
  return roundTime(Number(match[1] ?? 0) * 3600 + minutes * 60 + seconds + fraction)
}
