/** A source clip that is valid by itself. */
export interface SoundText {
  clipId: string
  videoId: string
  language: string
  /** Of its normalised content: the layout of the file does not count. */
  digest: string
}

/** A source clip that must be rejected, whatever else the corpus holds. */
export interface FaultyText {
  field?: string
  reason: string
  /** The video that it most likely describes. */
  videoId?: string
}

/** What one text of a source file holds, and where it stands. */
export type SourceText = (SoundText | FaultyText) & {
  /** Counted from 1; absent where the file is one clip. */
  line?: number
  /** Bytes `from … to` of the file. */
  from: number
  to: number
  /** The digest of the text as it is; absent if it is no text. */
  raw?: string
}
