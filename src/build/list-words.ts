import { baseCountOf, type ClipList } from '#release/lists/clip-list.ts'
import { pageSizesOf } from '#release/lists/layout.ts'
import { PostingReader } from '#release/postings/layout.ts'
import { amendLists, isDue, mostSought, type Amended, type IndexedEntry } from './amend-lists.ts'
import type { WorkerPool } from './worker-pool.ts'
import type { ListBefore } from './items-before.ts'
import type { OpenedBefore } from './release-before.ts'
import type { BucketOfWords, ListedWord, WrittenSegment } from './tasks.ts'
import { bucketOf } from './word-spool.ts'

/** A word whose clips are not what they were. */
interface Touched {
  wordId: number
  language: string
  /** Its list in the release before, where that is gone on from. */
  before: ClipList | null
  /** How many clips came. */
  came: number
  /** The ids of those that went. */
  went: string[]
}

/**
 * Which words' lists of clips have to be made, because a clip came or went; those of the other
 * words stay as they are, files and all.
 */
export class TouchedWords {
  readonly #before: OpenedBefore | null
  /**
   * The languages whose lists go on from the night before; in the others every clip is indexed
   * anew.
   */
  readonly #carried: ReadonlySet<string>
  readonly #touched = new Map<number, Touched>()
  readonly #came: IndexedEntry[] = []
  readonly #went: IndexedEntry[] = []

  constructor(before: OpenedBefore | null, carried: ReadonlySet<string>) {
    this.#before = before
    this.#carried = carried
  }

  /** A clip that came. */
  came(clip: IndexedEntry): void {
    const posting = new PostingReader().begin(clip.said)
    while (posting.next()) this.#touch(posting.wordId, clip.language).came++
    if (this.#carried.has(clip.language)) this.#came.push(clip)
  }

  /** A clip of the release before that is not in this one as it was. */
  went(clip: IndexedEntry): void {
    if (!this.#carried.has(clip.language)) return
    const posting = new PostingReader().begin(clip.said)
    while (posting.next()) this.#touch(posting.wordId, clip.language).went.push(clip.clipId)
    this.#went.push(clip)
  }

  /**
   * The lists of all words with clips: made by the workers where they are touched, else those of
   * the night before.
   */
  async lists(
    pool: WorkerPool,
    onProgress: (done: number, total: number) => void,
  ): Promise<Map<number, ClipList>> {
    const lists = this.#untouched()
    const amended = this.#amended()
    const buckets = [...this.#byBucket(amended).values()]
    let done = 0
    const calls = buckets.map((bucket): [BucketOfWords] => [bucket])
    for await (const written of pool.each('list', calls)) {
      for (const [wordId, segment] of written) {
        const list = this.#listOf(wordId, segment, amended.get(wordId))
        if (list) lists.set(wordId, list)
      }
      onProgress(++done, buckets.length)
    }
    return lists
  }

  /** The words whose lists are amended; those of the others are written anew. */
  #amended(): ReadonlyMap<number, Amended> {
    const wordIds = new Set<number>()
    let sought = 0
    for (const { wordId, before, came, went } of this.#touched.values()) {
      const changes = came + went.length
      if (!before || isDue(wordId, before, changes) || sought + changes > mostSought) continue
      wordIds.add(wordId)
      sought += changes
    }
    return wordIds.size === 0 ? new Map() : amendLists(wordIds, this.#before!, this.#came, this.#went)
  }

  #listOf(wordId: number, made: WrittenSegment | null, amended: Amended | undefined): ClipList | null {
    if (amended) {
      const { clipsByLevel, places, gone, goneIds } = amended
      const { base } = this.#touched.get(wordId)!.before!
      const isWhole = places.length === 0 && gone.length === 0
      return { clipsByLevel, base, since: isWhole ? null : { later: made, places, gone, goneIds } }
    }
    return made && { clipsByLevel: made.clipsByLevel, base: made, since: null }
  }

  #touch(wordId: number, language: string): Touched {
    let word = this.#touched.get(wordId)
    if (!word) {
      word = { wordId, language, before: this.#listBefore(wordId, language), came: 0, went: [] }
      this.#touched.set(wordId, word)
    }
    return word
  }

  #listBefore(wordId: number, language: string): ClipList | null {
    if (!this.#before || !this.#carried.has(language)) return null
    const { words } = this.#before
    const row = words.find(wordId)
    return row < 0 ? null : words.list(row)
  }

  #untouched(): Map<number, ClipList> {
    const lists = new Map<number, ClipList>()
    for (const language of this.#carried) {
      const { words } = this.#before!
      const { first, clipsEnd } = words.rangeOf(language)
      for (let row = first; row < clipsEnd; row++) {
        const wordId = words.wordId(row)
        if (!this.#touched.has(wordId)) lists.set(wordId, words.list(row)!)
      }
    }
    return lists
  }

  #byBucket(amended: ReadonlyMap<number, Amended>): Map<number, BucketOfWords> {
    const buckets = new Map<number, BucketOfWords>()
    for (const { wordId, language, before, went } of this.#touched.values()) {
      const isAmended = amended.has(wordId)
      const word: ListedWord = {
        wordId,
        language,
        before: before && toListBefore(before),
        isAmended,
        removed: went,
      }
      const bucket = bucketOf(wordId)
      const known = buckets.get(bucket)
      if (known) known.words.push(word)
      else buckets.set(bucket, { bucket, words: [word] })
    }
    return buckets
  }
}

function toListBefore({ clipsByLevel, base, since }: ClipList): ListBefore {
  // Copies: a view would be sent to a thread with all of the table that it is of.
  const sinceBefore = since && {
    later: since.later?.digest ?? null,
    places: since.places.slice(),
    gone: since.gone.slice(),
  }
  const basePages = pageSizesOf(base, baseCountOf({ clipsByLevel, since }))
  return { clipsByLevel, base: base.digest, basePages, since: sinceBefore }
}
