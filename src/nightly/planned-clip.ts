import type { PublishedClip } from '#tree/state.ts'
import type { StoredSource } from './source-text.ts'

/** A clip of the release: its published data or, with a source, the data to write now. */
export interface PlannedClip {
  clip: PublishedClip
  source: StoredSource | null
}

/** Whether a clip is published now. Otherwise, its source is there to restore its transcript. */
export function isPublishedNow({ clip, source }: PlannedClip): boolean {
  return source !== null && clip.recordDigest === ''
}
