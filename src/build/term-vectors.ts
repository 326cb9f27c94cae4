import type { ClipIndex } from '#indexing/index-clip.ts'
import type { TokenisedCue } from '#indexing/tokenise.ts'
import { packTermVector, TermVectorReader, type Term, type TokenGroup } from '#release/clips/term-vector.ts'

/** The term vector of a clip, with words by `wordId`. */
export function termVectorOf({ hits, wordIds }: ClipIndex, cues: readonly TokenisedCue[]): Uint8Array {
  const alone = new Map<number, number>()
  const together = new Map<string, { ids: number[]; tokenCount: number }>()
  for (const ids of wordIds.flat()) {
    if (ids.length === 1) alone.set(ids[0]!, (alone.get(ids[0]!) ?? 0) + 1)
    else if (ids.length > 1)
      together.getOrInsertComputed(ids.toSorted((a, b) => a - b).join(), () => ({ ids, tokenCount: 0 }))
        .tokenCount++
  }
  const tokensBefore = countBefore(cues)
  const terms: Term[] = Array.from(hits, ([{ wordId }, found]) => ({
    word: wordId,
    aloneCount: alone.get(wordId) ?? 0,
    tStartMs: toMs(found[0]!.tStart),
    occurrenceCount: found.length,
    runLength: found[0]!.length,
    tokensBefore: tokensBefore[found[0]!.cue]![found[0]!.start]!,
  }))
  const places = new Map(terms.map(({ word }, place) => [word, place]))
  const groups: TokenGroup[] = Array.from(together.values(), ({ ids, tokenCount }) => ({
    terms: ids.map((id) => places.get(id)!),
    tokenCount,
  }))
  return packTermVector(terms, groups)
}

/** By cue and token: how many tokens before it begin in the same millisecond. */
function countBefore(cues: readonly TokenisedCue[]): number[][] {
  const begun = new Map<number, number>()
  return cues.map(({ tokens }) =>
    tokens.map(({ tStart }) => {
      const before = begun.get(toMs(tStart)) ?? 0
      begun.set(toMs(tStart), before + 1)
      return before
    }),
  )
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000)
}

const reader = new TermVectorReader()

/** The same vector with other names for the words: rows in the place of ids. */
export function renameWords(vector: Uint8Array, rename: (word: number) => number): Uint8Array {
  reader.read(vector)
  const terms: Term[] = []
  const groups: TokenGroup[] = []
  while (reader.nextFirst()) {
    const { place, tStartMs, occurrenceCount, runLength, tokensBefore } = reader
    const [word, aloneCount] = [rename(reader.words[place]!), reader.aloneCounts[place]!]
    terms.push({ word, aloneCount, tStartMs, occurrenceCount, runLength, tokensBefore })
  }
  for (let at = 0; at < reader.groupsEnd;) {
    const tokenCount = reader.groups[at++]!
    const size = reader.groups[at++]!
    groups.push({ terms: Array.from(reader.groups.subarray(at, (at += size))), tokenCount })
  }
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
