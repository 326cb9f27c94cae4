import { maxClipDurationS } from '#contract/clip.ts'
import { isError, type ErrorAnswer } from '#contract/errors.ts'
import { levelMask, levels, type Level } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import type { ClipFacets, ClipTable } from '#release/clips/reader.ts'
import type { Release } from '#release/release.ts'
import type { Fit } from './known-words.ts'
import { readKnown, type KnownQuery } from './read-known.ts'

/** The parameters that exclude clips from every list of clips (contract 1.6). */
type FilterValues = Pick<
  ParameterValues<'getFeed'>,
  'channel' | 'maxDurationS' | 'exclude' | 'known' | 'minKnownShare' | 'maxUnknown'
> & { clipLevel?: readonly Level[] | undefined }

/** The cost of examining a clip, and of each byte of its words, in the units of a job. */
const workPerClip = 100
const workPerByte = 1
/** The cost of reading them from disk. */
const workPerDiskRead = 3_000
/** The maximum work for a page with a filter: 8 ms. */
export const workPerPage = 6_000_000

/** Decides which clips a list may show. */
export class ClipFilter {
  /** The words that the learner knows; null if the request does not list them. */
  readonly known: KnownQuery | null
  /** Whether the request has any parameter that can exclude clips. */
  readonly isFiltering: boolean
  readonly #clips: ClipTable
  readonly #excluded: ReadonlySet<number>
  readonly #facets: ClipFacets | null

  constructor(values: FilterValues, known: KnownQuery | null, clips: ClipTable) {
    this.known = known
    this.#clips = clips
    this.#excluded = new Set(values.exclude?.map((id) => clips.find(id)))
    this.#facets = facetsOf(values, clips)
    this.isFiltering = this.isBounding || this.#excluded.size > 0
  }

  /**
   * Whether few clips may be left, so that a page examines a bounded number. `exclude` removes few.
   */
  get isBounding(): boolean {
    return this.#facets !== null || (this.known?.isFiltering ?? false)
  }

  /**
   * Whether the list may show the clip in a row. With `known`, at least `minUnknown` words of the
   * clip must be new to the learner.
   */
  accepts(row: number, minUnknown = 0): boolean {
    const { known } = this
    if (this.#excluded.has(row)) return false
    if (this.#facets ? !this.#clips.accepts(row, this.#facets) : !this.#clips.isLive(row)) return false
    if (!known || !(known.isFiltering || minUnknown > 0)) return true
    const fit = known.words.fitWithin(row, known)
    return fit !== null && fit.unknownCount >= minUnknown
  }

  /** Returns how well a clip suits the learner; null if the request does not list known words. */
  fit(row: number): Fit | null {
    return this.known?.words.fit(row) ?? null
  }

  /** Returns the cost of examining a clip. */
  workOf(row: number): number {
    if (!this.known) return workPerClip
    const readWork = this.#clips.areTermsOnDisk ? workPerDiskRead : 0
    return workPerClip + this.#clips.termsSize(row) * workPerByte + readWork
  }
}

/** Reads the filter parameters of a request about clips in a language. */
export function readFilter(
  values: FilterValues,
  release: Release,
  language: string,
): ClipFilter | ErrorAnswer {
  const known = readKnown(values, release, language)
  return known && isError(known) ? known : new ClipFilter(values, known, release.clips)
}

/** An unknown channel id has no clips. */
function facetsOf({ clipLevel, channel, maxDurationS }: FilterValues, clips: ClipTable): ClipFacets | null {
  if (clipLevel === undefined && channel === undefined && maxDurationS === undefined) return null
  return {
    levelMask: levelMask(clipLevel ?? levels),
    channels: channel ? new Set(channel.map((id) => clips.channel(id))) : null,
    maxDurationS: maxDurationS ?? maxClipDurationS,
  }
}
