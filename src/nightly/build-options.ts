import type { Clock } from '#kit/clock.ts'
import type { LimitedSizes } from '#release/limits.ts'
import type { UrlTemplates } from './render/records.ts'

/**
 * The current step of a build: bytes of the source read, clips indexed, buckets of words listed, or
 * a step without a count.
 */
export type Progress =
  { step: 'read' | 'index' | 'list'; done: number; total: number } | { step: 'tables' | 'sync' }

export type OnProgress = (progress: Progress) => void

export interface BuildOptions {
  corpusFolder: string
  outFolder: string
  /** Whether to stop at the first rejected clip. */
  strict: boolean
  /** The clips to publish again if their source differs. */
  replace: ReadonlySet<string> | 'all'
  /** The share of published clips that may be missing, from 0 to 1. */
  maxShrink: number
  urls: UrlTemplates
  clock: Clock
  /** Whether analysers also find words; true by default. */
  analysers?: boolean | undefined
  /**
   * Builds the developer site of a release. Returns false if the site is already built. Without
   * this function, the site does not change.
   */
  buildSite?: ((release: string) => Promise<boolean>) | undefined
  /** Whether to start a new tree in place of one whose ledger is lost. */
  newTree?: boolean | undefined
  /** Whether two builds from scratch must write the same bytes, without any randomness. */
  reproducible?: boolean
  /**
   * The number of threads that share a large source; 0 for none besides the caller's. By default,
   * one per processor.
   */
  threads?: number | undefined
  /** The size of a source, in bytes, from which on threads are started. */
  threadMinBytes?: number | undefined
  /** The number of ordinals in a segment of the sentence index, if it is not the usual one. */
  segmentOrdinals?: number | undefined
  /** Limits that override those of `release/limits.ts`. */
  limits?: LimitedSizes | undefined
  onProgress?: OnProgress | undefined
}
