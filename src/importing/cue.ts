import type { SourceCue } from '#corpus/source-clip.ts'

/** What a parser made of a subtitle file. Times are seconds with at most 3 decimals, text is clean (see clean-text.ts). */
export interface ParsedSubtitles {
  cues: SourceCue[]
  /** Cues left out because nothing remained of their text. */
  emptyCues: number
}
