/**
 * The filters that exclude clips from `/words/{word}/clips` and `/sentences` (contract 1.6):
 * "`channel`, `maxDurationS` and `exclude` … with the meaning that they have on the feed".
 */
import type { IndexedClip } from './indexed.ts'
import { nfc } from './spelling.ts'

export type ListFilter = { channel?: string[]; maxDurationS?: number; exclude?: string[] }

/** "clip ids and video ids mixed; … ids that name nothing are ignored" */
export function isFilteredOut(
  { clipId, source }: IndexedClip,
  { channel, maxDurationS, exclude = [] }: ListFilter,
): boolean {
  return (
    channel?.includes(nfc(source.channel.id)) === false ||
    (maxDurationS !== undefined && source.durationS > maxDurationS) ||
    exclude.some((id) => id.toLowerCase() === clipId || id === source.videoId)
  )
}
