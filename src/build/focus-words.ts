import { bands, type Level } from '#contract/levels.ts'
import { isBetterFocus, type Candidate } from '#contract/focus-word.ts'
import { TermVectorReader } from '#release/clips/term-vector.ts'
import type { Focus } from '#release/clips/layout.ts'

/** A catalogue word with the number of its clips. */
export interface CountedWord {
  wordId: number
  level: Level
  clipCount: number
}

/** Finds the focus words of clips. */
export class FocusWords {
  readonly #words: readonly CountedWord[]
  readonly #rows: ReadonlyMap<number, number>
  /** By row: the number of the band that the level is, 0 for A2; −1 for A1, which is no band. */
  readonly #bands: Int8Array
  readonly #terms = new TermVectorReader()

  /** `words` are those of the release by row. */
  constructor(words: readonly CountedWord[]) {
    this.#words = words
    this.#rows = new Map(words.map(({ wordId }, row) => [wordId, row]))
    this.#bands = Int8Array.from(words, ({ level }) => (bands as readonly Level[]).indexOf(level))
  }

  /** The focus words of a clip by band, A2 to C2, from its term vector by `wordId`. */
  of(termVector: Uint8Array): Focus[] {
    const best: (Candidate | null)[] = bands.map(() => null)
    const found: Focus[] = bands.map(() => null)
    const terms = this.#terms
    terms.read(termVector)
    while (terms.nextFirst()) {
      const { occurrenceCount, tStartMs } = terms
      const wordId = terms.words[terms.place]!
      const row = this.#rows.get(wordId)!
      const band = this.#bands[row]!
      if (band < 0) continue
      const candidate = { wordId, occurrenceCount, clipCount: this.#words[row]!.clipCount }
      const known = best[band]
      if (known && !isBetterFocus(candidate, known)) continue
      best[band] = candidate
      found[band] = { row, tStartMs }
    }
    return found
  }
}
