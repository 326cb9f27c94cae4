import { noClip, type PostingListReader } from '#release/sentences/posting-list.ts'

/** One token of a query: the lists of the terms that stand for it. */
export interface QueryToken {
  lists: { list: PostingListReader; isExact: boolean }[]
  /** Of all its lists: how much is read at most. */
  sizeBytes: number
}

/** Places where a run begins, clip by clip in ascending order. */
export interface Matches {
  clips: number[]
  /** By clip: behind its last place in `starts`. */
  ends: number[]
  /**
   * Positions, ascending within a clip; none where only the counts of a single token are asked for.
   */
  starts: number[]
  /** By place: 1 where every token of the run is that of the query, else 0. */
  isExact: number[]
}

/**
 * How many positions and clips one turn reads, before other requests get theirs: about half a
 * millisecond.
 */
const workPerTurn = 10_000

/**
 * Finds the runs of neighbouring positions at which each token of the query is said, one after
 * another. It begins with the rarest token; of the others only the clips that are left are read.
 * The lists must stand at their beginning. It yields whenever it has been at work for about half a
 * millisecond.
 *
 * `only`, where it is given, are the clips to look at, in ascending order.
 */
export function* findRuns(
  tokens: readonly QueryToken[],
  only: readonly number[] | null = null,
): Generator<void, Matches> {
  const order = tokens.map((_, i) => i).sort((a, b) => tokens[a]!.sizeBytes - tokens[b]!.sizeBytes)
  const [rarest, ...others] = order
  if (rarest === undefined || tokens.some(({ lists }) => lists.length === 0)) return noMatches()
  if (others.length === 0 && !only) return yield* countsOf(tokens[rarest]!)
  let matches = yield* placesOf(tokens[rarest]!, rarest, only)
  for (const offset of others) {
    if (matches.clips.length === 0) break
    matches = yield* withToken(matches, tokens[offset]!, offset)
  }
  return matches
}

function noMatches(): Matches {
  return { clips: [], ends: [], starts: [], isExact: [] }
}

/** How often a token is said in each clip: nobody asks where, and positions are not read. */
function* countsOf({ lists }: QueryToken): Generator<void, Matches> {
  const found = noMatches()
  let total = 0
  let work = 0
  for (let clip = firstOf(lists); clip !== noClip; clip = firstOf(lists)) {
    const before = total
    for (let i = 0; i < lists.length; i++) {
      const { list } = lists[i]!
      if (list.clip !== clip) continue
      total += list.positionCount()
      list.next()
    }
    found.clips.push(clip)
    found.ends.push(total)
    work += total - before + lists.length
    if (work > workPerTurn) {
      work = 0
      yield
    }
  }
  return found
}

/**
 * Every place where a run would begin by this token alone, which stands `offset` tokens behind its
 * beginning.
 */
function* placesOf(
  { lists }: QueryToken,
  offset: number,
  only: readonly number[] | null,
): Generator<void, Matches> {
  const found = noMatches()
  const places = new Places()
  let work = 0
  let next = 0
  for (;;) {
    const clip = only ? (only[next++] ?? noClip) : firstOf(lists)
    if (clip === noClip) return found
    places.clear()
    for (let i = 0; i < lists.length; i++) {
      const { list, isExact } = lists[i]!
      if (list.skipTo(clip) === clip) places.add(list, isExact)
    }
    const from = found.starts.length
    for (let i = 0; i < places.count; i++) {
      const start = places.positions[i]! - offset
      if (start < 0) continue
      found.starts.push(start)
      found.isExact.push(places.isExact[i]!)
    }
    if (found.starts.length > from) {
      found.clips.push(clip)
      found.ends.push(found.starts.length)
    }
    if (!only) for (let i = 0; i < lists.length; i++) if (lists[i]!.list.clip === clip) lists[i]!.list.next()
    work += places.count + lists.length
    if (work > workPerTurn) {
      work = 0
      yield
    }
  }
}

/** The first clip that any of the lists stands at. */
function firstOf(lists: QueryToken['lists']): number {
  let first = noClip
  for (let i = 0; i < lists.length; i++) {
    const { list } = lists[i]!
    if (list.clip < 0) list.next()
    if (list.clip < first) first = list.clip
  }
  return first
}

/** Those of the places at which this token is said `offset` behind. */
function* withToken(
  { clips, ends, starts, isExact }: Matches,
  { lists }: QueryToken,
  offset: number,
): Generator<void, Matches> {
  const found = noMatches()
  const places = new Places()
  let work = 0
  for (let c = 0; c < clips.length; c++) {
    places.clear()
    for (let i = 0; i < lists.length; i++) {
      const { list, isExact: isExactList } = lists[i]!
      if (list.skipTo(clips[c]!) === clips[c]) places.add(list, isExactList)
    }
    const from = found.starts.length
    let at = 0
    for (let i = c === 0 ? 0 : ends[c - 1]!; i < ends[c]! && at < places.count; i++) {
      const wanted = starts[i]! + offset
      while (at < places.count && places.positions[at]! < wanted) at++
      if (places.positions[at] !== wanted || at === places.count) continue
      found.starts.push(starts[i]!)
      found.isExact.push(isExact[i]! & places.isExact[at]!)
    }
    if (found.starts.length > from) {
      found.clips.push(clips[c]!)
      found.ends.push(found.starts.length)
    }
    work += places.count + lists.length + 1
    if (work > workPerTurn) {
      work = 0
      yield
    }
  }
  return found
}

/**
 * The positions of a token in one clip, out of several lists: in memory that is used again and
 * again.
 */
class Places {
  readonly positions: number[] = []
  readonly isExact: number[] = []
  count = 0

  clear(): void {
    this.count = 0
  }

  /** Merges the positions of the clip at hand. No position is in two lists. */
  add(list: PostingListReader, isExact: boolean): void {
    const from = this.count
    this.count = list.positions(this.positions, from)
    for (let i = from; i < this.count; i++) this.isExact[i] = Number(isExact)
    if (from > 0) for (let i = from; i < this.count; i++) this.#sink(i)
  }

  /** Insertion sort: few positions of a clip come from each list. */
  #sink(i: number): void {
    const { positions, isExact } = this
    const [position, exact] = [positions[i]!, isExact[i]!]
    let at = i
    for (; at > 0 && positions[at - 1]! > position; at--) {
      positions[at] = positions[at - 1]!
      isExact[at] = isExact[at - 1]!
    }
    positions[at] = position
    isExact[at] = exact
  }
}
