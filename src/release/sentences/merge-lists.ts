import type { PostingList } from './posting-list.ts'

/** How many positions are merged in one turn of the event loop: about 1 ms. */
const positionsPerTurn = 50_000

/**
 * The places where one of several terms is spoken. No two terms have the same position in a clip.
 * It yields about once a millisecond.
 */
export function* mergeLists(lists: readonly PostingList[]): Generator<void, PostingList> {
  const room = lists.reduce((sum, { clips }) => sum + clips.length, 0)
  const clips = new Uint32Array(room)
  const positionsAt = new Uint32Array(room + 1)
  const positions = new Uint32Array(lists.reduce((sum, list) => sum + list.positions.length, 0))
  const places = lists.map(() => 0)
  let count = 0
  let end = 0
  let pause = positionsPerTurn
  for (let clip = firstClip(lists, places); clip !== undefined; clip = firstClip(lists, places)) {
    const from = end
    for (const [i, list] of lists.entries()) {
      const place = places[i]!
      if (list.clips[place] !== clip) continue
      for (let at = list.positionsAt[place]!; at < list.positionsAt[place + 1]!; at++)
        insert(positions, from, end++, list.positions[at]!)
      places[i] = place + 1
    }
    clips[count++] = clip
    positionsAt[count] = end
    if (end > pause) {
      pause = end + positionsPerTurn
      yield
    }
  }
  return {
    clips: clips.slice(0, count),
    positionsAt: positionsAt.slice(0, count + 1),
    positions: lists.every((list) => list.positions instanceof Uint16Array)
      ? Uint16Array.from(positions)
      : positions,
  }
}

/** The first of the clips at these places; undefined after the last. */
function firstClip(lists: readonly PostingList[], places: readonly number[]): number | undefined {
  let first: number | undefined
  for (let i = 0; i < lists.length; i++) {
    const clip = lists[i]!.clips[places[i]!]
    if (clip !== undefined && (first === undefined || clip < first)) first = clip
  }
  return first
}

/** Inserts a position into the ascending ones from `from` to `end`: a clip has few. */
function insert(positions: Uint32Array, from: number, end: number, position: number): void {
  let at = end
  for (; at > from && positions[at - 1]! > position; at--) positions[at] = positions[at - 1]!
  positions[at] = position
}
