import type { ClipIndex } from './index/index-clip.ts'
import type { TokenisedCue } from './index/tokenise.ts'
import { packTermVector, TermVectorReader, type Term, type TokenGroup } from '#release/clips/term-vector.ts'

/** The term vector of a clip, with words by `wordId`: a byte text, because it goes into JSON. */
export function termVectorOf({ hits, wordIds }: ClipIndex, cues: readonly TokenisedCue[]): string {
  const alone = new Map<number, number>()
  const together = new Map<string, { ids: number[]; tokenCount: number }>()
  for (const ids of wordIds.flat()) {
    if (ids.length === 1) alone.set(ids[0]!, (alone.get(ids[0]!) ?? 0) + 1)
    else if (ids.length > 1)
      together.getOrInsertComputed(ids.toSorted((a, b) => a - b).join(), () => ({ ids, tokenCount: 0 }))
        .tokenCount++
  }
  /** By token, counted through all cues. */
  const startsMs: number[] = []
  /** By cue, the number of its first token. */
  const firsts: number[] = []
  for (const { tokens } of cues) {
    firsts.push(startsMs.length)
    for (const { tStart } of tokens) startsMs.push(toMs(tStart))
  }
  const terms: Term[] = Array.from(hits, ([{ wordId }, found]) => ({
    word: wordId,
    aloneCount: alone.get(wordId) ?? 0,
    tStartMs: startsMs[firsts[found[0]!.cue]! + found[0]!.start]!,
    occurrenceCount: found.length,
    runLength: found[0]!.length,
    tokensBefore: tokensBefore(startsMs, firsts[found[0]!.cue]! + found[0]!.start),
  }))
  const places = new Map(together.size > 0 ? terms.map(({ word }, place) => [word, place]) : [])
  const groups: TokenGroup[] = Array.from(together.values(), ({ ids, tokenCount }) => ({
    terms: ids.map((id) => places.get(id)!),
    tokenCount,
  }))
  return Buffer.from(packTermVector(terms, groups)).toString('latin1')
}

/** How many tokens before one of them begin in the same millisecond. */
function tokensBefore(startsMs: readonly number[], token: number): number {
  let count = 0
  for (let at = -1; (at = startsMs.indexOf(startsMs[token]!, at + 1)) < token;) count++
  return count
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000)
}

const reader = new TermVectorReader()

/** What `packTermVector` packed. */
export function unpackTermVector(vector: Uint8Array): { terms: Term[]; groups: TokenGroup[] } {
  reader.read(vector)
  const terms: Term[] = []
  const groups: TokenGroup[] = []
  while (reader.nextFirst()) {
    const { place, tStartMs, occurrenceCount, runLength, tokensBefore } = reader
    const [word, aloneCount] = [reader.words[place]!, reader.aloneCounts[place]!]
    terms.push({ word, aloneCount, tStartMs, occurrenceCount, runLength, tokensBefore })
  }
  for (let at = 0; at < reader.groupsEnd;) {
    const tokenCount = reader.groups[at++]!
    const size = reader.groups[at++]!
    groups.push({ terms: Array.from(reader.groups.subarray(at, (at += size))), tokenCount })
  }
  return { terms, groups }
}
