import { packTermVector, type Term } from '#release/clips/term-vector.ts'
import type { ClipIndex } from './index/index-clip.ts'
import type { TokenisedCue } from './index/tokenise.ts'

/** Returns the term vector of an indexed clip, in which words have their ids. */
export function packTerms({ hits, wordIds }: ClipIndex, cues: readonly TokenisedCue[]): Uint8Array {
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
  const terms = Array.from(hits, ([{ wordId }, wordHits]): Term => {
    const { cue, start, length } = wordHits[0]!
    const firstToken = firstTokens[cue]! + start
    const tStartMs = startsMs[firstToken]!
    // Counted without a copy of the tokens, because a clip has hundreds of terms.
    let tokensBefore = 0
    for (let i = 0; i < firstToken; i++) if (startsMs[i] === tStartMs) tokensBefore++
    return {
      word: wordId,
      aloneCount: aloneCounts.get(wordId) ?? 0,
      tStartMs,
      occurrenceCount: wordHits.length,
      runLength: length,
      tokensBefore,
    }
  })
  const positions = new Map(sharedTokens.size > 0 ? terms.map(({ word }, position) => [word, position]) : [])
  const groups = Array.from(sharedTokens.values(), ({ ids, tokenCount }) => ({
    terms: ids.map((id) => positions.get(id)!),
    tokenCount,
  }))
  return packTermVector(terms, groups)
}
