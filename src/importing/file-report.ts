import type { Level } from '#contract/levels.ts'
import type { AccountSummary } from './account.ts'

/**
 * What became of a file: it is a clip now, was not meant for this run or exists already, or is not
 * fit to be one.
 */
export type Outcome = 'imported' | 'skipped' | 'rejected'

/** The lowest level at which a learner knows enough of what is said, and the figures behind it. */
export interface LevelSuggestion {
  level: Level
  /** Running tokens that are catalogue words. */
  tokens: number
  /** By level: the share of them (0 to 1, 4 decimals) whose easiest word is at or below it. */
  knownShare: Record<Level, number>
}

/** What became of one file. */
export interface FileReport {
  /** As the user named it. */
  file: string
  outcome: Outcome
  /** Why it was skipped or rejected. */
  reason?: string
  /** Skipped because the corpus holds the very same clip. */
  unchanged?: true
  videoId?: string
  format?: string
  encoding?: string
  /** The level suggested by the words in the clip (`--suggest-level`). */
  suggestion?: LevelSuggestion
  /** What became of its cues; absent if none was read. */
  cues?: AccountSummary['cues']
  repairs?: AccountSummary['repairs']
}
