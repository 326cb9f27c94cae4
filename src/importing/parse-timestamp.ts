import { parseVTTTimestamp } from 'media-captions'
import { roundTime } from '#kit/round.ts'

/** `00:00:01.650`, `00:01,65` or `0:00:01` as seconds with at most 3 decimals; null for what is no time. */
export function parseTimestamp(text: string): number | null {
  // Its types do not resolve under nodenext (1.0.4): they import without extensions.
  const seconds: number | null = parseVTTTimestamp(text.replace(',', '.'))
  return seconds === null ? null : roundTime(seconds)
}
