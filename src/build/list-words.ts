import { baseCountOf, clipCountOf, type ClipList } from '#release/lists/clip-list.ts'
import { pageSizesOf } from '#release/lists/layout.ts'
import { PostingReader } from '#release/postings/layout.ts'
import { amendLists, isDue, maxPlaced, type Amended, type IndexedEntry } from './amend-lists.ts'
import type { WorkerPool } from './worker-pool.ts'
import type { PreviousList } from './previous-items.ts'
import type { IndexTables } from '#tree/index-tables.ts'
import type { BucketOfWords, ListedWord, WrittenSegment } from './tasks.ts'
import { bucketOf } from './word-spool.ts'

/** A word whose list changes. */
interface ChangedWord {
  wordId: number
  language: string
  /** Its list in the previous release, if that is built on. */
  before: ClipList | null
  /** How many clips were added. */
  added: number
  /** The ids of the clips that were removed. */
  removed: string[]
}

/**
 * The words whose lists have to be written, because a clip was added or removed. The lists of other
 * words stay as they are, files included.
 */
export class ChangedWords {
  readonly #before: IndexTables | null
  /**
   * The languages that build on the previous release. In the others every clip is indexed again.
   */
  readonly #carried: ReadonlySet<string>
  readonly #changed = new Map<number, ChangedWord>()
  readonly #added: IndexedEntry[] = []
  readonly #removed: IndexedEntry[] = []

  constructor(before: IndexTables | null, carried: ReadonlySet<string>) {
    this.#before = before
    this.#carried = carried
  }

  /** Notes a clip that is added. */
  add(clip: IndexedEntry): void {
    const posting = new PostingReader().begin(clip.said)
    while (posting.next()) this.#change(posting.wordId, clip.language).added++
    if (this.#carried.has(clip.language)) this.#added.push(clip)
  }

  /** Notes a clip of the previous release that this one lacks, or holds changed. */
  remove(clip: IndexedEntry): void {
    if (!this.#carried.has(clip.language)) return
    const posting = new PostingReader().begin(clip.said)
    while (posting.next()) this.#change(posting.wordId, clip.language).removed.push(clip.clipId)
    this.#removed.push(clip)
  }

  /**
   * The lists of all words with clips: written by the workers if they change, else those of the
   * previous release.
   */
  async lists(
    pool: WorkerPool,
    onProgress: (done: number, total: number) => void,
  ): Promise<Map<number, ClipList>> {
    const lists = this.#unchanged()
    const amended = this.#amended()
    const buckets = this.#buckets(amended)
    let done = 0
    for await (const [, written] of pool.each('list', buckets)) {
      for (const [wordId, segment] of written) {
        const list = this.#listOf(wordId, segment, amended.get(wordId))
        if (list) lists.set(wordId, list)
      }
      onProgress(++done, buckets.length)
    }
    return lists
  }

  /** The words whose lists are amended. The other changed lists are written again. */
  #amended(): ReadonlyMap<number, Amended> {
    const wordIds = new Set<number>()
    let changed = 0
    for (const { wordId, before, added, removed } of this.#changed.values()) {
      const changes = added + removed.length
      if (!before || isDue(wordId, before, changes) || changed + changes > maxPlaced) continue
      wordIds.add(wordId)
      changed += changes
    }
    return wordIds.size === 0 ? new Map() : amendLists(wordIds, this.#before!, this.#added, this.#removed)
  }

  #listOf(wordId: number, made: WrittenSegment | null, amended: Amended | undefined): ClipList | null {
    if (amended) {
      const { clipsByLevel, places, gone, goneIds } = amended
      const { base } = this.#changed.get(wordId)!.before!
      const isWhole = places.length === 0 && gone.length === 0
      return { clipsByLevel, base, since: isWhole ? null : { later: made, places, gone, goneIds } }
    }
    return made && { clipsByLevel: made.clipsByLevel, base: made, since: null }
  }

  #change(wordId: number, language: string): ChangedWord {
    return this.#changed.getOrInsertComputed(wordId, () => {
      const before = this.#previousList(wordId, language)
      return { wordId, language, before, added: 0, removed: [] }
    })
  }

  #previousList(wordId: number, language: string): ClipList | null {
    if (!this.#before || !this.#carried.has(language)) return null
    const { words } = this.#before
    const row = words.find(wordId)
    return row < 0 ? null : words.list(row)
  }

  #unchanged(): Map<number, ClipList> {
    const lists = new Map<number, ClipList>()
    for (const language of this.#carried) {
      const { words } = this.#before!
      const { first, clipsEnd } = words.rangeOf(language)
      for (let row = first; row < clipsEnd; row++) {
        const wordId = words.wordId(row)
        if (!this.#changed.has(wordId)) lists.set(wordId, words.list(row)!)
      }
    }
    return lists
  }

  /**
   * The buckets of the words. After each of the largest quarter come three others, so that two
   * threads, which are sent two calls ahead, never list two of the largest at the same time: the
   * previous list of the most frequent word of a million clips takes half a gigabyte.
   */
  #buckets(amended: ReadonlyMap<number, Amended>): BucketOfWords[] {
    const buckets = new Map<number, BucketOfWords>()
    const itemCounts = new Map<BucketOfWords, number>()
    for (const { wordId, language, before, removed, added } of this.#changed.values()) {
      const isAmended = amended.has(wordId)
      const word: ListedWord = {
        wordId,
        language,
        before: before && toPreviousList(before),
        isAmended,
        removed,
      }
      const number = bucketOf(wordId)
      const bucket = buckets.getOrInsertComputed(number, () => ({ bucket: number, words: [] }))
      bucket.words.push(word)
      const items = added + (before && !isAmended ? clipCountOf(before) : 0)
      itemCounts.set(bucket, (itemCounts.get(bucket) ?? 0) + items)
    }
    const largestFirst = [...buckets.values()].sort((a, b) => itemCounts.get(b)! - itemCounts.get(a)!)
    const larger = largestFirst.splice(0, Math.ceil(largestFirst.length / 4))
    return larger.flatMap((bucket, i) => [bucket, ...largestFirst.slice(i * 3, i * 3 + 3)])
  }
}

function toPreviousList({ clipsByLevel, base, since }: ClipList): PreviousList {
  // Copies, because sending a view to a thread sends its whole table.
  const previousSince = since && {
    later: since.later?.digest ?? null,
    places: since.places.slice(),
    gone: since.gone.slice(),
  }
  const basePages = pageSizesOf(base, baseCountOf({ clipsByLevel, since }))
  return { clipsByLevel, base: base.digest, basePages, since: previousSince }
}
