import type { Release } from '#release/release.ts'
import { placeOf, unite, type PostingList } from '#release/sentences/posting-list.ts'
import type { Segment } from '#release/sentences/reader.ts'
import { noPositions, type ListCache } from './list-cache.ts'
import type { PartTerms, Query } from './query.ts'
import type { Job } from '../turns.ts'

/** The positions in a segment of everything that matches a part of the query. */
interface PartPositions {
  /** The positions of tokens with the spelling of the query. */
  exact: PostingList
  all: PostingList
}

/** A part of a query in a segment that contains it. */
export interface Part extends PartPositions {
  from: number
  to: number
  /** The number of spoken tokens in a match of the part. */
  tokenCount: number
  /** The index in `all` of the last look-up, because the next one is usually near. */
  place: number
}

/** The matches of a query in a segment. */
export interface Found {
  segment: Segment
  path: PartPath
  /** The clips that contain the query, ascending, and the number of runs in each. */
  clips: Int32Array
  counts: Int32Array
}

/** Looks a query up in all segments of its language. A long search yields to other requests. */
export async function searchSegments(
  query: Query,
  release: Release,
  cache: ListCache,
  job: Job,
): Promise<Found[]> {
  const matches: Found[] = []
  for (const segment of release.sentences.get(query.language) ?? []) {
    const positionsByTerms = new Map<PartTerms, PartPositions>()
    const parts: Part[] = []
    for (const { from, to, terms } of query.parts) {
      if (!positionsByTerms.has(terms))
        positionsByTerms.set(terms, await openTerms(terms, segment, release, cache, job))
      const positions = positionsByTerms.get(terms)!
      if (positions.all.length > 0)
        parts.push({ from, to, tokenCount: terms.tokenCount, ...positions, place: 0 })
    }
    const path = new PartPath(parts, query.unitCount)
    matches.push({ segment, path, ...(await job.run(countRuns(path, segment))) })
  }
  return matches
}

/** The work of finding out whether a segment contains a term. A long query has 20,000. */
const workPerTerm = 200

async function openTerms(
  { text, words }: PartTerms,
  segment: Segment,
  release: Release,
  cache: ListCache,
  job: Job,
): Promise<PartPositions> {
  await job.spend((1 + words.length) * workPerTerm)
  const listOf = (term: string) => cache.list(release, segment, term, job)
  const exact = text !== null && segment.mayContain(text) ? await listOf(text) : noPositions
  const lists = [exact]
  for (const word of words) if (segment.mayContain(word)) lists.push(await listOf(word))
  return { exact, all: lists.length === 1 ? exact : await job.run(unite(lists)) }
}

/** A number above every position. `Infinity` would make all positions floating-point numbers. */
const noEnd = 0x7fff_ffff

/** The parts of a query that a segment contains, by the units between which they lead. */
export class PartPath {
  readonly parts: readonly Part[]
  readonly #unitCount: number
  readonly #partsFrom: Part[][]
  readonly #partsTo: Part[][]

  constructor(parts: readonly Part[], unitCount: number) {
    const newGroups = () => Array.from({ length: unitCount + 1 }, (): Part[] => [])
    this.parts = parts
    this.#unitCount = unitCount
    this.#partsFrom = newGroups()
    this.#partsTo = newGroups()
    for (const part of parts) {
      this.#partsFrom[part.from]!.push(part)
      this.#partsTo[part.to]!.push(part)
    }
  }

  /** Whether different parts can lead over the same unit, so that a start can be found twice. */
  get hasAlternatives(): boolean {
    return this.parts.reduce((sum, { from, to }) => sum + to - from, 0) > this.#unitCount
  }

  /** The part that is the whole query, if there is no other. */
  get wholePart(): Part | undefined {
    const [part] = this.parts
    return this.parts.length === 1 && part!.to - part!.from === this.#unitCount ? part : undefined
  }

  /** The parts at the start of the query. */
  get firstParts(): readonly Part[] {
    return this.#partsFrom[0]!
  }

  /**
   * Returns the parts over the unit with the fewest positions: each match contains one of them.
   */
  rarestParts(): Part[] {
    let rarest: Part[] = []
    let fewest = Infinity
    for (let unit = 0; unit < this.#unitCount; unit++) {
      const parts = this.parts.filter(({ from, to }) => from <= unit && unit < to)
      const count = parts.reduce((sum, { all }) => sum + all.length, 0)
      if (count < fewest) [rarest, fewest] = [parts, count]
    }
    return rarest
  }

  /**
   * Returns the position after the shortest run that starts at a position and matches the query
   * from a unit on; `noEnd` if there is none.
   */
  endOf(position: number, unit: number, isExact: boolean): number {
    if (unit === this.#unitCount) return position
    let shortest = noEnd
    for (const part of this.#partsFrom[unit]!) {
      if (!isSaid(part, position, isExact)) continue
      const end = this.endOf(position + part.tokenCount, part.to, isExact)
      if (end < shortest) shortest = end
    }
    return shortest
  }

  /** Adds the start positions of runs that reach a position with the query up to a unit. */
  addStarts(starts: number[], position: number, unit: number): void {
    if (unit === 0) starts.push(position)
    for (const part of this.#partsTo[unit]!) {
      const start = position - part.tokenCount
      if (isSaid(part, start, false)) this.addStarts(starts, start, part.from)
    }
  }
}

/** Whether a part occurs at a position. Most look-ups go forward. */
function isSaid(part: Part, position: number, isExact: boolean): boolean {
  if (isExact) return part.exact[placeOf(position, part.exact, 0)] === position
  const from = part.place > 0 && part.all[part.place - 1]! >= position ? 0 : part.place
  part.place = placeOf(position, part.all, from)
  return part.all[part.place] === position
}

/** The number of positions of the rarest part to examine between two yields. */
const positionsAtOnce = 4096
/** The work of looking a position up in a list: it takes as long as reading this many. */
const lookUpWork = 10

/**
 * Counts the runs of neighbouring positions that match a query: at each position of the rarest
 * parts, the rest of the query is looked up after and before it. Yields the work done since the
 * last yield, in positions read.
 */
export function* countRuns(
  path: PartPath,
  { positionAt }: Pick<Segment, 'positionAt'>,
): Generator<number, Pick<Found, 'clips' | 'counts'>> {
  const whole = path.wholePart
  const starts = whole ? whole.all : yield* findStarts(path)
  // Their lengths are not known, and to grow arrays of 90,000 clips leaves much garbage.
  const clips = new Int32Array(Math.min(starts.length, positionAt.length - 1))
  const counts = new Int32Array(clips.length)
  let clipCount = 0
  let clip = -1
  let clipEnd = 0
  for (let from = 0; from < starts.length; from += positionsAtOnce) {
    const to = Math.min(from + positionsAtOnce, starts.length)
    for (let at = from; at < to; at++) {
      const start = starts[at]!
      if (start >= clipEnd) {
        clip = placeOf(start + 1, positionAt, clip + 1) - 1
        clipEnd = positionAt[clip + 1]!
        clips[clipCount++] = clip
      }
      counts[clipCount - 1]!++
    }
    yield to - from
  }
  return { clips: clips.subarray(0, clipCount), counts: counts.subarray(0, clipCount) }
}

/** Yields the starts of the runs, ascending, each once. */
function* findStarts(path: PartPath): Generator<number, readonly number[]> {
  const starts: number[] = []
  for (const part of path.rarestParts()) {
    for (let from = 0; from < part.all.length; from += positionsAtOnce) {
      const to = Math.min(from + positionsAtOnce, part.all.length)
      for (let at = from; at < to; at++) {
        const position = part.all[at]!
        if (path.endOf(position + part.tokenCount, part.to, false) < noEnd)
          path.addStarts(starts, position, part.from)
      }
      yield (to - from) * (1 + (path.parts.length - 1) * lookUpWork)
    }
  }
  return path.hasAlternatives ? uniqueAscending(starts) : starts
}

function uniqueAscending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}

/** A run of neighbouring positions that matches a query. */
export interface Run {
  /** The position of its first token. */
  start: number
  tokenCount: number
  /** Whether it has the spelling of the query. */
  isExact: boolean
}

/** Returns the runs of a query in a clip of a segment, ascending. */
export function runsIn(clip: number, path: PartPath, { positionAt }: Pick<Segment, 'positionAt'>): Run[] {
  const [from, to] = [positionAt[clip]!, positionAt[clip + 1]!]
  const starts = path.firstParts.flatMap(({ all }) => [
    ...all.subarray(placeOf(from, all, 0), placeOf(to, all, 0)),
  ])
  const ascending = path.hasAlternatives ? uniqueAscending(starts) : starts
  const runs: Run[] = []
  for (const start of ascending) {
    const exactEnd = path.endOf(start, 0, true)
    const isExact = exactEnd < noEnd
    const end = isExact ? exactEnd : path.endOf(start, 0, false)
    if (end < noEnd) runs.push({ start, tokenCount: end - start, isExact })
  }
  return runs
}
