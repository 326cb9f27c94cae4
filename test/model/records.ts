/**
 * What the endpoints answer (spec 2, contract 1.5): "Records carry exactly the fields listed, in
 * the listed order, no others."
 */
import type { Gloss, Level } from './source.ts'

/** "clip: Clip fields without wordCount and indexedAt" */
export type FeedClip = {
  clipId: string
  videoId: string
  title: string
  language: string
  level: Level
  durationS: number
  channel: { id: string; name: string }
  embedUrl: string
  watchUrl: string
}

/** The clip-metadata record; `indexedAt`, the time of the build, is left out of the model. */
export type ClipRecord = FeedClip & { wordCount: number }

export type ClipBatch = { items: ClipRecord[]; missing: string[] }

export type TranscriptWord = { text: string; tStart: number; tEnd: number; wordIds?: number[] }
export type TranscriptCue = { tStart: number; tEnd: number; text: string; words: TranscriptWord[] }
export type TranscriptRecord = {
  clipId: string
  videoId: string
  language: string
  durationS: number
  wordTiming: 'measured' | 'interpolated'
  cues: TranscriptCue[]
}

export type FocusWord = { word: string; wordId: number; level: Level; meaning: string } & (
  { tStart: number } | WordOccurrence
)
export type FeedItem = {
  clip: FeedClip
  focusWord: FocusWord | null
  knownShare?: number
  unknownCount?: number
}

export type Word = {
  word: string
  wordId: number
  level: Level
  meaning: string
  clipCount: number
  matchedForm?: string
}

export type WordDetail = Word & { language: string; forms: string[] }

export type WordOccurrence = {
  tStart: number
  tEnd: number
  form: string
  text: string
  start: number
  end: number
}
export type WordClipItem = {
  clip: FeedClip
  knownShare: number
  occurrenceCount: number
  occurrences: WordOccurrence[]
  unknownCount?: number
}

export type SentenceMatch = {
  tStart: number
  tEnd: number
  text: string
  start: number
  end: number
  kind: 'exact' | 'form'
}
export type SentenceItem = { clip: FeedClip; matchCount: number; matches: SentenceMatch[] }

export type LanguageRecord = {
  language: string
  clipCount: number
  totalDurationS: number
  channelCount: number
  clipsByLevel: Record<Level, number>
  wordCount: number
  wordsWithClips: number
  wordsByLevel: Record<Level, { words: number; withClips: number }>
  glossCoverage: Record<Gloss, number>
}

/** The corpus record without `release` and `builtAt`. */
export type CorpusRecord = {
  clipCount: number
  totalDurationS: number
  channelCount: number
  glosses: Gloss[]
  languages: LanguageRecord[]
}
