import { bands, type Level } from '#contract/levels.ts'
import { isBetterFocus, type Candidate } from '#indexing/focus-word.ts'
import type { Focus } from '#release/clips/writer.ts'
import { PostingReader, type Postings } from '#release/postings/layout.ts'

/** A catalogue word with the number of its clips. */
export interface CountedWord {
  wordId: number
  level: Level
  clipCount: number
}

/** Finds the focus words of clips. */
export class FocusWords {
  readonly #rows: ReadonlyMap<number, number>
  /** By row: the number of the band that the level is, 0 for A2; −1 for A1, which is no band. */
  readonly #bands: Int8Array
  readonly #clipCounts: Uint32Array
  readonly #entryAt: (row: number) => number
  readonly #posting = new PostingReader()

  /**
   * `words` are those of the release by row; `entryAt` returns where the table of words has their
   * entries.
   */
  constructor(words: readonly CountedWord[], entryAt: (row: number) => number) {
    this.#entryAt = entryAt
    this.#rows = new Map(words.map(({ wordId }, row) => [wordId, row]))
    this.#bands = Int8Array.from(words, ({ level }) => (bands as readonly Level[]).indexOf(level))
    this.#clipCounts = Uint32Array.from(words, ({ clipCount }) => clipCount)
  }

  /** The focus words of a clip by band, A2 to C2, from the words said in it. */
  of(said: Postings): Focus[] {
    const best: (Candidate | null)[] = bands.map(() => null)
    const found: Focus[] = bands.map(() => null)
    const posting = this.#posting.begin(said)
    while (posting.next()) {
      const { wordId, occurrenceCount, tStartMs } = posting
      const row = this.#rows.get(wordId)!
      const band = this.#bands[row]!
      if (band < 0) continue
      const candidate = { wordId, occurrenceCount, clipCount: this.#clipCounts[row]! }
      const known = best[band]
      if (known && !isBetterFocus(candidate, known)) continue
      best[band] = candidate
      found[band] = { entryAt: this.#entryAt(row), tStartMs }
    }
    return found
  }
}
