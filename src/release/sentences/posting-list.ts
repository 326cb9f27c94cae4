/** The places where a term is spoken. */
export interface PostingList {
  /** The clips that have it, ascending. */
  clips: Uint32Array
  /** By index in `clips`, where its positions begin in `positions`; finally, where the last end. */
  positionsAt: Uint32Array
  /** The positions in each clip, ascending. */
  positions: Uint16Array | Uint32Array
}

/** Reading so many bytes takes about a millisecond. */
const bytesPerTurn = 200_000

/**
 * Decodes the list that begins at an offset (FORMAT.md, "Sentences"). It yields about once a
 * millisecond.
 *
 * Searching the arrays takes less time than searching the bytes, but three times the memory.
 */
export function* readPostingList(bytes: Uint8Array, from: number): Generator<void, PostingList> {
  let at = from
  let pause = from + bytesPerTurn
  const varint = () => {
    let byte = bytes[at++]!
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!
      value |= (byte & 127) << shift
    }
    return value
  }
  const clips = new Uint32Array(varint())
  let positions: PostingList['positions'] = new Uint16Array(varint())
  const positionsAt = new Uint32Array(clips.length + 1)
  let end = 0
  for (let i = 0, clip = -1; i < clips.length; i++) {
    const head = varint()
    clips[i] = clip += (head >> 1) + 1
    let position = 0
    for (let left = (head & 1) === 1 ? 1 : varint(); left > 0; left--) {
      position += varint()
      if (position > 0xffff && positions instanceof Uint16Array) positions = Uint32Array.from(positions)
      positions[end++] = position
    }
    positionsAt[i + 1] = end
    if (at > pause) {
      pause = at + bytesPerTurn
      yield
    }
  }
  return { clips, positionsAt, positions }
}

/**
 * The first place from `from` on whose clip is not before `clip`; the number of clips if there is
 * none. Its steps double, so that it takes little time where the place is near.
 */
export function placeOf(clip: number, { clips }: PostingList, from: number): number {
  if (from >= clips.length || clips[from]! >= clip) return from
  // The clip at `low` is before, that at `high` is not.
  let low = from
  let high = from + 1
  for (let step = 1; high < clips.length && clips[high]! < clip; step *= 2) {
    low = high
    high += step
  }
  if (high > clips.length) high = clips.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (clips[middle]! < clip) low = middle
    else high = middle
  }
  return high
}
