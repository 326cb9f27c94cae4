import { checkSize } from './check-size.ts'
import { checkTimes } from './check-times.ts'
import type { SourceClip } from './source-clip.ts'

/**
 * What is wrong with a clip as a whole, beyond its single fields: the first fault with its field,
 * or null.
 */
export function checkClip(clip: SourceClip): { field: string; reason: string } | null {
  return checkSize(clip) ?? checkTimes(clip)
}
