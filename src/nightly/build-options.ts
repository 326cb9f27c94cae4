import type { Clock } from '#kit/clock.ts'
import type { LimitedSizes } from '#release/limits.ts'
import type { UrlTemplates } from './render/records.ts'

/**
 * What a build is doing: bytes of the source read, clips indexed, buckets of words listed; or a
 * step without a count.
 */
export type Progress =
  { step: 'read' | 'index' | 'list'; done: number; total: number } | { step: 'tables' | 'sync' }

/** Called with the progress of a build. */
export type OnProgress = (progress: Progress) => void

/** Options of a build. */
export interface BuildOptions {
  corpusFolder: string
  outFolder: string
  /** Stop at the first rejected clip. */
  strict: boolean
  /** Clips whose source is published again if it differs. */
  replace: ReadonlySet<string> | 'all'
  /** The share of published clips that may be missing, 0 to 1. */
  maxShrink: number
  urls: UrlTemplates
  clock: Clock
  /** Whether analysers find words, too; true by default. */
  analysers?: boolean | undefined
  /**
   * Builds the developer site of a release in service, unless it is built already (false). Without
   * it the site stays as it is.
   */
  buildSite?: ((release: string) => Promise<boolean>) | undefined
  /** Begin a new tree in the place of one whose ledger is lost. */
  newTree?: boolean | undefined
  /** Two builds from scratch must agree on every byte: nothing is left to chance. */
  reproducible?: boolean
  /**
   * How many threads share a large amount of work; 0 for none besides the caller's. By default one
   * per processor.
   */
  threads?: number | undefined
  /** From how many bytes of source on threads are started. */
  threadMinBytes?: number | undefined
  /** How many ordinals a segment of the sentence index covers, if not as many as ever. */
  segmentOrdinals?: number | undefined
  /** Limits that differ from those of `release/limits.ts`. */
  limits?: LimitedSizes | undefined
  /** Called with the progress. */
  onProgress?: OnProgress | undefined
}
