import type { ClipIndex } from '#indexing/index-clip.ts'
import { packTermVector, TermVectorReader, type Term, type TokenGroup } from '#release/clips/term-vector.ts'

/** The term vector of a clip, with words by `wordId`. */
export function termVectorOf({ hits, wordIds }: ClipIndex): Uint8Array {
  let tokens = 0
  const firstTokens = wordIds.map((cue) => (tokens += cue.length) - cue.length)
  const alone = new Map<number, number>()
  const together = new Map<string, { ids: number[]; tokenCount: number }>()
  for (const ids of wordIds.flat()) {
    if (ids.length === 1) alone.set(ids[0]!, (alone.get(ids[0]!) ?? 0) + 1)
    else if (ids.length > 1)
      together.getOrInsertComputed(ids.join(), () => ({ ids, tokenCount: 0 })).tokenCount++
  }
  const terms: Term[] = Array.from(hits, ([{ wordId }, found]) => ({
    word: wordId,
    occurrenceCount: found.length,
    aloneCount: alone.get(wordId) ?? 0,
    tStartMs: Math.round(found[0]!.tStart * 1000),
    token: firstTokens[found[0]!.cue]! + found[0]!.start,
    runLength: found[0]!.length,
  })).sort((a, b) => a.tStartMs - b.tStartMs || a.word - b.word)
  const places = new Map(terms.map(({ word }, place) => [word, place]))
  const groups: TokenGroup[] = Array.from(together.values(), ({ ids, tokenCount }) => ({
    terms: ids.map((id) => places.get(id)!),
    tokenCount,
  }))
  return packTermVector(terms, groups)
}

/** The same with words by their rows. */
export function withRows(vector: Uint8Array, rowOf: (wordId: number) => number): Uint8Array {
  const terms: Term[] = []
  const groups: TokenGroup[] = []
  const reader = new TermVectorReader(vector)
  while (reader.nextTerm()) {
    const { word, occurrenceCount, aloneCount, tStartMs, token, runLength } = reader
    terms.push({ word: rowOf(word), occurrenceCount, aloneCount, tStartMs, token, runLength })
  }
  while (reader.nextGroup()) groups.push({ terms: [...reader.terms], tokenCount: reader.tokenCount })
  return packTermVector(terms, groups)
}

const slabBytes = 1 << 20

/** The term vectors of many clips, end to end in few pieces of memory. */
export class TermVectorStore {
  readonly #slabs = [new Uint8Array(slabBytes)]
  #used = 0
  readonly #places: { slab: number; from: number; to: number }[] = []

  /** Adds that of a clip, under the row that it has in the table of clips. */
  set(row: number, vector: Uint8Array): void {
    if (this.#used + vector.length > slabBytes) {
      this.#slabs.push(new Uint8Array(Math.max(slabBytes, vector.length)))
      this.#used = 0
    }
    const slab = this.#slabs.length - 1
    this.#slabs[slab]!.set(vector, this.#used)
    this.#places[row] = { slab, from: this.#used, to: this.#used + vector.length }
    this.#used += vector.length
  }

  of(row: number): Uint8Array {
    const { slab, from, to } = this.#places[row]!
    return this.#slabs[slab]!.subarray(from, to)
  }
}
