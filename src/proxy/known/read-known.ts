import { LRUCache } from 'lru-cache'
import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import type { KnownList } from '#contract/known.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import type { Release } from '#release/release.ts'
import { KnownWords, type FitLimits } from './known-words.ts'
import { unpackIds } from './unpack-ids.ts'

/** What a request says of what its learner knows. */
export interface KnownQuery extends FitLimits {
  words: KnownWords
  /** Whether clips can be left out. */
  isFiltering: boolean
}

/**
 * Reads these parameters of a request about clips in a language; null if it has none of them.
 */
export function readKnown(
  { known, minKnownShare, maxUnknown }: ParameterValues<'getFeed'> | ParameterValues<'listWordClips'>,
  release: Release,
  language: string,
): KnownQuery | ErrorAnswer | null {
  if (!known) {
    for (const [name, value] of Object.entries({ minKnownShare, maxUnknown }))
      if (value !== undefined)
        return invalidParameter(name, `${name} needs known: say what the learner knows`)
    return null
  }
  const words = wordsOf(known, release, language)
  if ('fault' in words) return invalidParameter('known', `known ${words.fault}`)
  return {
    words,
    minKnownShare: minKnownShare ?? 0,
    maxUnknown: maxUnknown ?? Infinity,
    isFiltering: minKnownShare !== undefined || maxUnknown !== undefined,
  }
}

/**
 * What the lists read last come to in a release, by language and text. An app asks for page after
 * page with the same list, and reading one of many ids costs ten times what a page does.
 */
const recent = new WeakMap<Release, LRUCache<string, KnownWords>>()
const recentMax = 64

/** The words that a list says a learner knows. */
function wordsOf(list: KnownList, release: Release, language: string): KnownWords | { fault: string } {
  const lists = recent.getOrInsertComputed(release, () => new LRUCache({ max: recentMax }))
  const key = `${language} ${list.text}`
  const before = lists.get(key)
  if (before) return before
  const packed = list.packed === null ? [] : unpackIds(list.packed)
  if ('fault' in packed) return packed
  const words = new KnownWords(list, packed, release, language)
  lists.set(key, words)
  return words
}
