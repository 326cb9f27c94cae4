import { levels } from '#contract/levels.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { prefetch } from '#kit/prefetch.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import { uuidBytes } from '#kit/uuid.ts'
import {
  baseCountOf,
  itemsPerPage,
  itemsPerStep,
  type PageDigest,
  numberInBase,
  numbersPerFullPage,
  type ClipList,
  type Merging,
  type NamedSegment,
  type Segment,
  type Since,
} from './clip-list.ts'
import { wordClipsPath } from '../paths.ts'
import type { Sections } from '../table-file.ts'

/**
 * The lists of clips of the words, within the table of words: written and read (FORMAT.md,
 * "words.bin").
 */

/**
 * A run of items of a segment within one file: the bytes from one checkpoint to another, and which
 * of the items in them are wanted.
 */
export interface Run {
  path: string
  from: number
  to: number
  /** Items before the wanted ones. */
  skip: number
  count: number
  /** Of the whole file. */
  digest: PageDigest
}

/**
 * Where neighbouring items of a list stand: those of the base, those that came later, and how they
 * are one list, both counted from where the cut begins.
 */
export interface Cut extends Merging {
  base: Run[]
  later: Run[]
}

const digestBytes = 8
/**
 * What `sinceAt` says of a list: the first of its places, of its gone items, and of its later
 * checkpoints.
 */
const perAmended = 3
const noPlaces = new Uint32Array()

/** Puts the sections of the lists together, list by list. */
export class ClipListsWriter {
  readonly #clipsByLevel = new GrowingUint32Array()
  readonly #digests: string[] = []
  readonly #checkpoints = new Joined()
  readonly #amended: number[] = []
  readonly #sinceAt: number[] = []
  readonly #laterDigests: string[] = []
  readonly #laterPlaces = new Joined()
  readonly #gonePlaces = new Joined()
  readonly #goneIds: Uint8Array[] = []
  readonly #laterCheckpoints = new Joined()

  get count(): number {
    return this.#digests.length
  }

  add({ clipsByLevel, base, since }: ClipList): void {
    if (since) {
      this.#amended.push(this.count)
      this.#sinceAt.push(this.#laterPlaces.length, this.#gonePlaces.length, this.#laterCheckpoints.length)
      this.#laterDigests.push(since.later?.digest ?? '0'.repeat(2 * digestBytes))
      this.#laterPlaces.add(since.places)
      this.#gonePlaces.add(since.gone)
      this.#goneIds.push(since.goneIds)
      this.#laterCheckpoints.add(since.later?.checkpoints ?? [])
    }
    for (const count of clipsByLevel) this.#clipsByLevel.push(count)
    this.#digests.push(base.digest)
    this.#checkpoints.add(base.checkpoints)
  }

  sections(): Record<string, Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>> {
    return {
      clipsByLevel: this.#clipsByLevel.view(),
      listDigests: Uint8Array.fromHex(this.#digests.join('')),
      checkpointAt: Uint32Array.from(this.#checkpoints.starts),
      checkpoints: this.#checkpoints.join(),
      amended: Uint32Array.from(this.#amended),
      sinceAt: Uint32Array.from(this.#sinceAt),
      laterDigests: Uint8Array.fromHex(this.#laterDigests.join('')),
      laterPlaces: this.#laterPlaces.join(),
      gonePlaces: this.#gonePlaces.join(),
      goneIds: joinBytes(this.#goneIds),
      laterCheckpoints: this.#laterCheckpoints.join(),
    }
  }
}

/** Lists of numbers that will lie end to end. */
class Joined {
  readonly #parts: ArrayLike<number>[] = []
  /** Where each of them begins. */
  readonly starts: number[] = []
  length = 0

  add(part: ArrayLike<number>): void {
    this.#parts.push(part)
    this.starts.push(this.length)
    this.length += part.length
  }

  join(): Uint32Array<ArrayBuffer> {
    const joined = new Uint32Array(this.length)
    for (const [i, part] of this.#parts.entries()) joined.set(part, this.starts[i])
    return joined
  }
}

/** The lists of a table of words, counted in the order of its rows. */
export class ClipLists {
  readonly #clipsByLevel: Uint32Array
  readonly #digests: Uint8Array
  readonly #checkpointAt: Uint32Array
  readonly #checkpoints: Uint32Array
  readonly #amended: Uint32Array
  readonly #sinceAt: Uint32Array
  readonly #laterDigests: Uint8Array
  readonly #laterPlaces: Uint32Array
  readonly #gonePlaces: Uint32Array
  readonly #goneIds: Uint8Array
  readonly #laterCheckpoints: Uint32Array

  constructor(sections: Sections) {
    this.#clipsByLevel = sections.u32('clipsByLevel')
    this.#digests = sections.u8('listDigests')
    this.#checkpointAt = sections.u32('checkpointAt')
    this.#checkpoints = sections.u32('checkpoints')
    this.#amended = sections.u32('amended')
    this.#sinceAt = sections.u32('sinceAt')
    this.#laterDigests = sections.u8('laterDigests')
    this.#laterPlaces = sections.u32('laterPlaces')
    this.#gonePlaces = sections.u32('gonePlaces')
    this.#goneIds = sections.u8('goneIds')
    this.#laterCheckpoints = sections.u32('laterCheckpoints')
  }

  clipCount(list: number): number {
    const counts = this.#clipsByLevel
    let sum = 0
    for (let at = list * levels.length; at < (list + 1) * levels.length; at++) sum += counts[at]!
    return sum
  }

  /** Prefetches what `clipCount` reads of these lists. A negative number is none. */
  prefetchCounts(lists: readonly number[]): void {
    prefetch(
      this.#clipsByLevel,
      lists.map((list) => list * levels.length),
    )
  }

  clipsByLevel(list: number): number[] {
    return [...this.#clipsByLevel.subarray(list * levels.length, (list + 1) * levels.length)]
  }

  /** Views of the table. */
  get(list: number): ClipList {
    return {
      clipsByLevel: this.clipsByLevel(list),
      base: this.#base(list),
      since: this.#since(list),
    }
  }

  /** The segments that a list is made of, the base first. */
  segments(list: number): NamedSegment[] {
    const since = this.#since(list)
    const count = baseCountOf({ clipsByLevel: this.clipsByLevel(list), since })
    const base = { digest: this.#base(list).digest, count }
    return since?.later ? [base, { digest: since.later.digest, count: since.places.length }] : [base]
  }

  /** Where the items `start … end` of the list of a word stand. */
  cut(list: number, word: { language: string; wordId: number }, start: number, end: number): Cut {
    const base = this.#base(list)
    const since = this.#since(list)
    const count = baseCountOf({ clipsByLevel: this.clipsByLevel(list), since })
    if (!since) {
      return { base: runs(word, base, count, start, end), later: [], places: noPlaces, gone: noPlaces }
    }
    const { later, places, gone } = since
    const [laterStart, laterEnd] = [lowerBound(places, start), lowerBound(places, end)]
    const first = numberInBase(start - laterStart, gone)
    const hasBase = end - laterEnd > start - laterStart
    const last = hasBase ? numberInBase(end - laterEnd - 1, gone) + 1 : first
    const goneIn = gone.subarray(lowerBound(gone, first), lowerBound(gone, last))
    return {
      ...baseRuns(word, base, count, first, last, goneIn),
      later: later ? runs(word, later, places.length, laterStart, laterEnd) : [],
      places: places.subarray(laterStart, laterEnd).map((place) => place - start),
    }
  }

  #base(list: number): Segment {
    return {
      digest: this.#digests.subarray(list * digestBytes, (list + 1) * digestBytes).toHex(),
      checkpoints: this.#checkpoints.subarray(this.#checkpointAt[list], this.#checkpointAt[list + 1]),
    }
  }

  #since(list: number): Since | null {
    const found = lowerBound(this.#amended, list)
    if (this.#amended[found] !== list) return null
    const [at, next] = [found * perAmended, (found + 1) * perAmended]
    const part = (numbers: Uint32Array, which: number) =>
      numbers.subarray(this.#sinceAt[at + which], this.#sinceAt[next + which])
    const places = part(this.#laterPlaces, 0)
    const goneEnd = this.#sinceAt[next + 1] ?? this.#gonePlaces.length
    const digest = this.#laterDigests.subarray(found * digestBytes, (found + 1) * digestBytes).toHex()
    return {
      later: places.length === 0 ? null : { digest, checkpoints: part(this.#laterCheckpoints, 2) },
      places,
      gone: part(this.#gonePlaces, 1),
      goneIds: this.#goneIds.subarray(this.#sinceAt[at + 1]! * uuidBytes, goneEnd * uuidBytes),
    }
  }
}

/**
 * Where the items `start … end` of a base stand, of which some are gone; neighbours that are gone
 * are not read where they are many.
 */
function baseRuns(
  word: { language: string; wordId: number },
  base: Segment,
  count: number,
  start: number,
  end: number,
  gone: Uint32Array,
): Pick<Cut, 'base' | 'gone'> {
  const found: Run[] = []
  const goneRead: number[] = []
  let from = start
  let passed = start
  for (let i = 0; i < gone.length;) {
    let next = i + 1
    while (gone[next] === gone[i]! + next - i) next++
    if (next - i > itemsPerStep) {
      found.push(...runs(word, base, count, from, gone[i]!))
      from = gone[i]! + next - i
      passed += next - i
    } else {
      for (let k = i; k < next; k++) goneRead.push(gone[k]! - passed)
    }
    i = next
  }
  found.push(...runs(word, base, count, from, end))
  return { base: found, gone: Uint32Array.from(goneRead) }
}

/** Where the items `start … end` of a segment of `count` items stand, file by file. */
function runs(
  { language, wordId }: { language: string; wordId: number },
  { digest, checkpoints }: Segment,
  count: number,
  start: number,
  end: number,
): Run[] {
  const found: Run[] = []
  for (let from = start; from < end;) {
    const page = Math.floor(from / itemsPerPage)
    const pageStart = page * itemsPerPage
    const to = Math.min(end, pageStart + itemsPerPage, count)
    const steps = page * numbersPerFullPage
    const firstStep = Math.floor((from - pageStart) / itemsPerStep)
    const lastStep = Math.ceil((to - pageStart) / itemsPerStep)
    found.push({
      path: wordClipsPath(language, wordId, digest, page + 1),
      from: checkpoints[steps + firstStep]!,
      to: checkpoints[steps + lastStep]!,
      skip: from - pageStart - firstStep * itemsPerStep,
      count: to - from,
      digest: digestOf(checkpoints, steps, Math.min(itemsPerPage, count - pageStart)),
    })
    from = to
  }
  return found
}

/**
 * The digest of a page whose numbers begin at `steps` in the checkpoints, and which holds so many
 * items.
 */
function digestOf(checkpoints: ArrayLike<number>, steps: number, items: number): PageDigest {
  const end = steps + Math.ceil(items / itemsPerStep)
  return { high: checkpoints[end + 1]!, low: checkpoints[end + 2]! }
}
