import type { PublishedClip } from '#tree/state.ts'
import type { SoundText } from './source-text.ts'

/** A clip of the release: what is published of it or, with a text, what is written now. */
export interface PlannedClip {
  clip: PublishedClip
  text: SoundText | null
}

/** Whether a clip is published now. Otherwise a text is there to write its transcript again. */
export function isPublishedNow({ clip, text }: PlannedClip): boolean {
  return text !== null && clip.recordDigest === ''
}
