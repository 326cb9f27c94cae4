/**
 * The words spoken in a clip, encoded between the indexing of the clip and the table of words,
 * because memory holds those of the whole corpus:
 *
 *     varint   number of terms
 *     term     wordId, aloneCount, (tStartMs − that of the term before) · 4 + rest,
 *              occurrenceCount if rest > 0, runLength if rest > 1, tokensBefore if rest > 2
 *     varint   number of groups
 *     group    tokenCount, number of terms, the position of each among the terms
 *
 * All numbers are varints. Terms come in the order in which they are first spoken.
 */
import type { Term, TokenGroup } from '#release/clips/term-vector.ts'
import { ByteReader, packVarints } from '#kit/varint.ts'
import type { ClipIndex } from './index/index-clip.ts'
import type { TokenisedCue } from './index/tokenise.ts'

/** A word spoken in a clip. */
type ClipTerm = Omit<Term, 'word'> & { wordId: number }

/** The words spoken in a clip, and the groups of tokens that several of them share. */
export interface ClipTerms {
  terms: ClipTerm[]
  groups: TokenGroup[]
}

/** Collects the words of an indexed clip. */
export function collectTerms({ hits, wordIds }: ClipIndex, cues: readonly TokenisedCue[]): ClipTerms {
  const aloneCounts = new Map<number, number>()
  const sharedTokens = new Map<string, { ids: number[]; tokenCount: number }>()
  for (const ids of wordIds.flat()) {
    if (ids.length === 1) aloneCounts.set(ids[0]!, (aloneCounts.get(ids[0]!) ?? 0) + 1)
    else if (ids.length > 1)
      sharedTokens.getOrInsertComputed(ids.toSorted((a, b) => a - b).join(), () => ({ ids, tokenCount: 0 }))
        .tokenCount++
  }
  /** The start of each token, counted through all cues. */
  const startsMs: number[] = []
  /** The number of the first token of each cue. */
  const firstTokens: number[] = []
  for (const { tokens } of cues) {
    firstTokens.push(startsMs.length)
    for (const { tStart } of tokens) startsMs.push(Math.round(tStart * 1000))
  }
  const terms = Array.from(hits, ([{ wordId }, wordHits]): ClipTerm => {
    const { cue, start, length } = wordHits[0]!
    const firstToken = firstTokens[cue]! + start
    return {
      wordId,
      aloneCount: aloneCounts.get(wordId) ?? 0,
      tStartMs: startsMs[firstToken]!,
      occurrenceCount: wordHits.length,
      runLength: length,
      tokensBefore: countTokensBefore(startsMs, firstToken),
    }
  }).sort((a, b) => a.tStartMs - b.tStartMs)
  const positions = new Map(
    sharedTokens.size > 0 ? terms.map(({ wordId }, position) => [wordId, position]) : [],
  )
  const groups = Array.from(sharedTokens.values(), ({ ids, tokenCount }) => ({
    terms: ids.map((id) => positions.get(id)!),
    tokenCount,
  }))
  return { terms, groups }
}

/** Counts the tokens before one of them that begin in the same millisecond. */
function countTokensBefore(startsMs: readonly number[], token: number): number {
  let count = 0
  for (let at = -1; (at = startsMs.indexOf(startsMs[token]!, at + 1)) < token;) count++
  return count
}

/** Encodes the words of a clip. */
export function encodeTerms({ terms, groups }: ClipTerms): Uint8Array<ArrayBuffer> {
  const numbers = [terms.length]
  let beforeMs = 0
  for (const { wordId, aloneCount, tStartMs, occurrenceCount, runLength, tokensBefore } of terms) {
    const rest = tokensBefore !== 0 ? 3 : runLength !== 1 ? 2 : Number(occurrenceCount !== aloneCount)
    numbers.push(wordId, aloneCount, (tStartMs - beforeMs) * 4 + rest)
    if (rest > 0) numbers.push(occurrenceCount)
    if (rest > 1) numbers.push(runLength)
    if (rest > 2) numbers.push(tokensBefore)
    beforeMs = tStartMs
  }
  numbers.push(groups.length)
  for (const group of groups) numbers.push(group.tokenCount, group.terms.length, ...group.terms)
  return packVarints(numbers)
}

/** Decodes the words of a clip. */
export function decodeTerms(bytes: Uint8Array): ClipTerms {
  const reader = new ByteReader(bytes)
  const terms: ClipTerm[] = []
  let tStartMs = 0
  for (let count = reader.varint(); count > 0; count--) {
    const [wordId, aloneCount, head] = [reader.varint(), reader.varint(), reader.varint()]
    const rest = head % 4
    tStartMs += (head - rest) / 4
    terms.push({
      wordId,
      aloneCount,
      tStartMs,
      occurrenceCount: rest > 0 ? reader.varint() : aloneCount,
      runLength: rest > 1 ? reader.varint() : 1,
      tokensBefore: rest > 2 ? reader.varint() : 0,
    })
  }
  const groups = Array.from({ length: reader.varint() }, (): TokenGroup => {
    const tokenCount = reader.varint()
    return { terms: Array.from({ length: reader.varint() }, () => reader.varint()), tokenCount }
  })
  return { terms, groups }
}
