import type { PublishedClip } from '#tree/state.ts'
import type { StoredSource } from './source-text.ts'

/** A clip of the release: what is published of it or, with a source, what is written now. */
export interface PlannedClip {
  clip: PublishedClip
  source: StoredSource | null
}

/** Whether a clip is published now. Otherwise a source is there to write its transcript again. */
export function isPublishedNow({ clip, source }: PlannedClip): boolean {
  return source !== null && clip.recordDigest === ''
}
