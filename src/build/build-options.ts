import type { Clock } from '#kit/clock.ts'
import type { UrlTemplates } from '#rendering/clip.ts'
import type { OnProgress } from './progress.ts'
import type { StageSite } from './site-stage.ts'

/** What a build is asked for. */
export interface BuildOptions {
  corpusFolder: string
  outFolder: string
  /** Stop at the first reject. */
  strict: boolean
  /** Clips whose source is to be published anew where it differs. */
  replace: ReadonlySet<string> | 'all'
  /** The share of published clips that may be gone, 0 to 1. */
  maxShrink: number
  urls: UrlTemplates
  clock: Clock
  /**
   * Whether words are found by the analysers of their languages, too, which unless given they are.
   */
  analysers?: boolean | undefined
  /** Makes the developer site of the release; without it the site stays as it is. */
  stageSite?: StageSite | undefined
  /** Two builds from nothing are to agree on every byte: nothing is left to chance. */
  reproducible?: boolean
  /**
   * How many threads share the work where there is much of it: 0 for none beside the caller's.
   * Unless given, one a processor.
   */
  threads?: number | undefined
  /** From how many bytes of unread source on there is much. */
  muchBytes?: number | undefined
  /** Called with how far it has come. */
  onProgress?: OnProgress | undefined
}
