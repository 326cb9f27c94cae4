import { unpackPostings, type Postings } from '#release/postings-table.ts'
import type { ClipList, WordTable } from '#release/word-table.ts'
import type { Crew } from './crew.ts'
import type { BucketOfWords, ListedWord } from './tasks.ts'
import { bucketOf } from './word-spool.ts'

/**
 * Which words' lists of clips have to be made, because a clip came or went; those of the other words stay as they are, files and all.
 */
export class TouchedWords {
  readonly #before: WordTable | null
  /** The languages whose lists go on from the night before; in the others every clip is indexed anew. */
  readonly #carried: ReadonlySet<string>
  readonly #touched = new Map<number, ListedWord>()

  constructor(before: WordTable | null, carried: ReadonlySet<string>) {
    this.#before = before
    this.#carried = carried
  }

  /** A clip that came. */
  came(language: string, said: Postings): void {
    for (const { wordId } of unpackPostings(said)) this.#touch(wordId, language)
  }

  /** A clip of the release before that is not in this one as it was. */
  went(clipId: string, language: string, said: Postings): void {
    if (!this.#carried.has(language)) return
    for (const { wordId } of unpackPostings(said)) this.#touch(wordId, language).removed.push(clipId)
  }

  /** The lists of all words with clips: made by the crew where they are touched, else those of the night before. `dropped` as in `Tasks.list`. */
  async lists(
    crew: Crew,
    dropped: ReadonlySet<number>,
    tell: (done: number, total: number) => void,
  ): Promise<Map<number, ClipList>> {
    const lists = this.#untouched()
    const buckets = [...this.#byBucket().values()]
    let done = 0
    const orders = buckets.map((bucket): [BucketOfWords, ReadonlySet<number>] => [bucket, dropped])
    for await (const made of crew.each('list', orders)) {
      for (const [wordId, list] of made) lists.set(wordId, list)
      tell(++done, buckets.length)
    }
    return lists
  }

  #touch(wordId: number, language: string): ListedWord {
    let word = this.#touched.get(wordId)
    if (!word) {
      word = { wordId, language, before: this.#listBefore(wordId, language), removed: [] }
      this.#touched.set(wordId, word)
    }
    return word
  }

  #listBefore(wordId: number, language: string): ListedWord['before'] {
    if (!this.#before || !this.#carried.has(language)) return null
    const row = this.#before.find(wordId)
    return row < 0 || this.#before.clipCount(row) === 0
      ? null
      : { digest: this.#before.listDigest(row), clipsByLevel: this.#before.clipsByLevel(row) }
  }

  #untouched(): Map<number, ClipList> {
    const lists = new Map<number, ClipList>()
    for (const language of this.#carried) {
      const { first, clipsEnd } = this.#before!.rangeOf(language)
      for (let row = first; row < clipsEnd; row++) {
        const wordId = this.#before!.wordId(row)
        if (!this.#touched.has(wordId)) lists.set(wordId, this.#before!.list(row)!)
      }
    }
    return lists
  }

  #byBucket(): Map<number, BucketOfWords> {
    const buckets = new Map<number, BucketOfWords>()
    for (const word of this.#touched.values()) {
      const bucket = bucketOf(word.wordId)
      const known = buckets.get(bucket)
      if (known) known.words.push(word)
      else buckets.set(bucket, { bucket, words: [word] })
    }
    return buckets
  }
}
