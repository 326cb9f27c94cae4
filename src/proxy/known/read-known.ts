import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import type { KnownList } from '#contract/known.ts'
import type { WordTable } from '#release/words/reader.ts'
import { KnownWords, type Fit } from './known-words.ts'
import { unpackIds } from './unpack-ids.ts'

/** The parameters that say what a learner knows (contract 1.6). */
interface KnownValues {
  known?: KnownList | undefined
  minKnownShare?: number | undefined
  maxUnknown?: number | undefined
}

/** What a request says of what its learner knows. */
export interface KnownQuery {
  list: KnownList
  /** The packed set of the list: ascending. */
  packed: Float64Array
  minKnownShare: number
  maxUnknown: number
  /** Whether clips can be left out. */
  isFiltering: boolean
}

/** Reads these parameters; null if the request has none of them. */
export function readKnown({
  known,
  minKnownShare,
  maxUnknown,
}: KnownValues): KnownQuery | ErrorAnswer | null {
  if (!known) {
    const [name] =
      Object.entries({ minKnownShare, maxUnknown }).find(([, value]) => value !== undefined) ?? []
    return name === undefined
      ? null
      : invalidParameter(name, `${name} needs known: say what the learner knows`)
  }
  const packed = known.packed === null ? new Float64Array() : unpackIds(known.packed)
  if ('fault' in packed) return invalidParameter('known', `known ${packed.fault}`)
  return {
    list: known,
    packed,
    minKnownShare: minKnownShare ?? 0,
    maxUnknown: maxUnknown ?? Infinity,
    isFiltering: minKnownShare !== undefined || maxUnknown !== undefined,
  }
}

/** The words of a language that a learner knows. */
export function knownWords({ list, packed }: KnownQuery, words: WordTable, language: string): KnownWords {
  return new KnownWords(list, packed, words, language)
}

/** Whether a clip may be shown. */
export function passes({ knownShare, unknownCount }: Fit, query: KnownQuery): boolean {
  return knownShare >= query.minKnownShare && unknownCount <= query.maxUnknown
}
