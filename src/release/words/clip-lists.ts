import { levels } from '#contract/levels.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import { uuidBytes } from '#kit/uuid.ts'
import {
  baseCountOf,
  numberInBase,
  type ClipList,
  type Merging,
  type NamedSegment,
  type ListSegment,
  type Since,
} from '../lists/clip-list.ts'
import { itemsPerStep, runsOf, type PageRun } from '../lists/layout.ts'
import type { Sections } from '../table-file.ts'
import { listDigestBytes, sinceNumbers } from './layout.ts'

/**
 * Where neighbouring items of a list stand. `places` and `gone` are counted from the first of them.
 */
export interface Cut extends Merging {
  base: PageRun[]
  later: PageRun[]
}

const noPlaces = new Uint32Array()

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

  clipsByLevel(list: number): number[] {
    return [...this.#clipsByLevel.subarray(list * levels.length, (list + 1) * levels.length)]
  }

  /** A list, as views of the table. */
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
      return { base: runsOf(word, base, count, start, end), later: [], places: noPlaces, gone: noPlaces }
    }
    const { later, places, gone } = since
    const [laterStart, laterEnd] = [lowerBound(places, start), lowerBound(places, end)]
    const first = numberInBase(start - laterStart, gone)
    const hasBase = end - laterEnd > start - laterStart
    const last = hasBase ? numberInBase(end - laterEnd - 1, gone) + 1 : first
    const goneIn = gone.subarray(lowerBound(gone, first), lowerBound(gone, last))
    return {
      ...baseRuns(word, base, count, first, last, goneIn),
      later: later ? runsOf(word, later, places.length, laterStart, laterEnd) : [],
      places: places.subarray(laterStart, laterEnd).map((place) => place - start),
    }
  }

  #base(list: number): ListSegment {
    return {
      digest: this.#digests.subarray(list * listDigestBytes, (list + 1) * listDigestBytes).toHex(),
      checkpoints: this.#checkpoints.subarray(this.#checkpointAt[list], this.#checkpointAt[list + 1]),
    }
  }

  #since(list: number): Since | null {
    const found = lowerBound(this.#amended, list)
    if (this.#amended[found] !== list) return null
    const [at, next] = [found * sinceNumbers, (found + 1) * sinceNumbers]
    const part = (numbers: Uint32Array, which: number) =>
      numbers.subarray(this.#sinceAt[at + which], this.#sinceAt[next + which])
    const places = part(this.#laterPlaces, 0)
    const goneEnd = this.#sinceAt[next + 1] ?? this.#gonePlaces.length
    const digest = this.#laterDigests.subarray(found * listDigestBytes, (found + 1) * listDigestBytes).toHex()
    return {
      later: places.length === 0 ? null : { digest, checkpoints: part(this.#laterCheckpoints, 2) },
      places,
      gone: part(this.#gonePlaces, 1),
      goneIds: this.#goneIds.subarray(this.#sinceAt[at + 1]! * uuidBytes, goneEnd * uuidBytes),
    }
  }
}

/**
 * Where the items `start … end` of a base stand, some of which are deleted. Long runs of deleted
 * neighbours are not read.
 */
function baseRuns(
  word: { language: string; wordId: number },
  base: ListSegment,
  count: number,
  start: number,
  end: number,
  gone: Uint32Array,
): Pick<Cut, 'base' | 'gone'> {
  const found: PageRun[] = []
  const goneRead: number[] = []
  let from = start
  let passed = start
  for (let i = 0; i < gone.length;) {
    let next = i + 1
    while (gone[next] === gone[i]! + next - i) next++
    if (next - i > itemsPerStep) {
      found.push(...runsOf(word, base, count, from, gone[i]!))
      from = gone[i]! + next - i
      passed += next - i
    } else {
      for (let k = i; k < next; k++) goneRead.push(gone[k]! - passed)
    }
    i = next
  }
  found.push(...runsOf(word, base, count, from, end))
  return { base: found, gone: Uint32Array.from(goneRead) }
}
