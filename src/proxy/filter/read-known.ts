import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import type { KnownList } from '#contract/known.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { quoteValue } from '#contract/quote-value.ts'
import type { Release } from '#release/release.ts'
import { KnownCache } from './known-cache.ts'
import { KnownWords, type FitLimits } from './known-words.ts'
import { unpackIds } from './unpack-ids.ts'

/** The statements of a request about what its learner knows. */
export interface KnownQuery extends FitLimits {
  /** The words that the learner knows, built when they are first read. */
  readonly words: KnownWords
  /** Whether clips can be excluded. */
  isFiltering: boolean
}

/** Reads the parameters about the learner in a request for clips; null if it has none of them. */
export function readKnown(
  {
    known,
    minKnownShare,
    maxUnknown,
  }: Pick<ParameterValues<'getFeed'>, 'known' | 'minKnownShare' | 'maxUnknown'>,
  release: Release,
  language: string,
): KnownQuery | ErrorAnswer | null {
  if (!known) {
    for (const [name, value] of Object.entries({ minKnownShare, maxUnknown }))
      if (value !== undefined)
        return invalidParameter(name, `${name} needs known, which lists what the learner knows.`)
    return null
  }
  const isNewSet = mustUnpack(known, release, language)
  const refusal = isNewSet ? unpackIds(known.packedSet!, () => null) : null
  if (refusal)
    return invalidParameter(
      'known',
      `known contains ${quoteValue(`p.${known.packedSet}`)}, a packed set ${refusal.fault}.`,
    )
  let words: KnownWords | undefined
  return {
    get words() {
      return (words ??= wordsOf(known, release, language))
    },
    minKnownShare: minKnownShare ?? 0,
    maxUnknown: maxUnknown ?? Infinity,
    isFiltering: minKnownShare !== undefined || maxUnknown !== undefined,
  }
}

const caches = new WeakMap<Release, KnownCache>()
const cachedListsMax = 256

function cacheOf(release: Release): KnownCache {
  return caches.getOrInsertComputed(release, () => new KnownCache(cachedListsMax))
}

/**
 * Whether reading the list of a request requires unpacking a set. This is done after the key and
 * its window have been checked, because it takes longer than a refusal may.
 *
 * @param language the parameter of the request; a cursor may contain another one
 */
export function mustUnpack(list: KnownList, release: Release, language: string): boolean {
  const { text, packedSet, keyDigest = '' } = list
  return packedSet !== null && !cacheOf(release).has(keyDigest, `${language} ${text}`)
}

function wordsOf(list: KnownList, release: Release, language: string): KnownWords {
  const { text, packedSet, keyDigest = '' } = list
  const cacheEntry = cacheOf(release).get(keyDigest, `${language} ${text}`)
  if (cacheEntry) return cacheEntry
  const build = (packedIds: Uint8Array | null) => new KnownWords(list, packedIds, release, language)
  // The set has already been checked.
  const words = packedSet === null ? build(null) : (unpackIds(packedSet, build) as KnownWords)
  cacheOf(release).set(keyDigest, `${language} ${text}`, words)
  return words
}
