/** A source clip that holds together by itself. */
export interface FoundClip {
  clipId: string
  videoId: string
  language: string
  /** Of its normalised content: how the file is laid out does not count. */
  digest: string
}

/** A source clip that must be rejected, whatever else the corpus holds. */
export interface FoundFault {
  field?: string
  reason: string
  /** The video that it most likely speaks of. */
  videoId?: string
}

/** What one text of a source file turned out to be. */
export type Found = (FoundClip | FoundFault) & {
  /** Counted from 1; absent where the file is one clip. */
  line?: number
  /** Of the text as it stands in the file; absent where it is no text. */
  raw?: string
}

export function isFault(found: Found): found is Found & FoundFault {
  return 'reason' in found
}
