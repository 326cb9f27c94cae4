import type { Level } from '#contract/levels.ts'
import type { AccountSummary } from './account.ts'

/** How a file ended: as a clip; not meant for this run, or there already; not fit to be one. */
export type Outcome = 'imported' | 'skipped' | 'rejected'

/** The lowest level at which a learner knows enough of what is said, and what that rests on. */
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
  /** What the clip's level would be by the words in it (`--suggest-level`). */
  suggestion?: LevelSuggestion
  /** What became of its cues; absent where none was read. */
  cues?: AccountSummary['cues']
  repairs?: AccountSummary['repairs']
}
