import type { PostingList } from './posting-list.ts'

/** Greater than any clip. */
const noClip = 2 ** 31 - 1

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
  /** By list, the place of its next clip, and that clip; `noClip` after the last. */
  const places = lists.map(() => 0)
  const next = lists.map((list) => list.clips[0] ?? noClip)
  let count = 0
  let end = 0
  let pause = positionsPerTurn
  for (let clip = least(next); clip !== noClip; clip = least(next)) {
    const from = end
    for (let i = 0; i < next.length; i++) {
      if (next[i] !== clip) continue
      const list = lists[i]!
      const place = places[i]!++
      const to = list.positionsAt[place + 1]!
      for (let at = list.positionsAt[place]!; at < to; at++)
        insert(positions, from, end++, list.positions[at]!)
      next[i] = place + 1 < list.clips.length ? list.clips[place + 1]! : noClip
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

function least(clips: readonly number[]): number {
  let first = noClip
  for (let i = 0; i < clips.length; i++) if (clips[i]! < first) first = clips[i]!
  return first
}

/** Inserts a position into the ascending ones from `from` to `end`: a clip has few. */
function insert(positions: Uint32Array, from: number, end: number, position: number): void {
  let at = end
  for (; at > from && positions[at - 1]! > position; at--) positions[at] = positions[at - 1]!
  positions[at] = position
}
