import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import type { KnownList } from '#contract/known.ts'
import type { Release } from '#release/release.ts'
import { KnownWords, type FitLimits } from './known-words.ts'
import { unpackIds } from './unpack-ids.ts'

/** The parameters that say what a learner knows (contract 1.6). */
interface KnownValues {
  known?: KnownList | undefined
  minKnownShare?: number | undefined
  maxUnknown?: number | undefined
}

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
  { known, minKnownShare, maxUnknown }: KnownValues,
  release: Release,
  language: string,
): KnownQuery | ErrorAnswer | null {
  if (!known) {
    const [name] =
      Object.entries({ minKnownShare, maxUnknown }).find(([, value]) => value !== undefined) ?? []
    return name === undefined
      ? null
      : invalidParameter(name, `${name} needs known: say what the learner knows`)
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

/** What lists come to. A list is the same object if its text was read lately. */
const found = new WeakMap<KnownList, KnownWords>()

/** The words that a list says a learner knows. */
function wordsOf(list: KnownList, release: Release, language: string): KnownWords | { fault: string } {
  const before = found.get(list)
  if (before?.isOf(release, language)) return before
  const packed = list.packed === null ? new Float64Array() : unpackIds(list.packed)
  if ('fault' in packed) return packed
  const words = new KnownWords(list, packed, release, language)
  found.set(list, words)
  return words
}
