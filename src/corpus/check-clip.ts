import { checkSize } from './check-size.ts'
import { checkTimes } from './check-times.ts'
import type { SourceClip } from './source-clip.ts'

/** The first fault of a clip as a whole, beyond its single fields, with its field, or null. */
export function checkClip(clip: SourceClip): { field: string; reason: string } | null {
  return checkSize(clip) ?? checkTimes(clip)
}
