import type { Clock } from '#kit/clock.ts'
import type { UrlTemplates } from '#rendering/clip.ts'
import type { StageSite } from './site-stage.ts'

/** What a build is told. */
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
  /** Makes the developer site of the release; without it the site stays as it is. */
  stageSite?: StageSite | undefined
  /** Two builds from nothing are to agree on every byte: nothing is left to chance. */
  reproducible?: boolean
}
