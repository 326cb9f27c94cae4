import { ByteReader } from '#kit/byte-reader.ts'

/**
 * The positions in a segment at which a term is spoken, ascending. Engines calculate with signed
 * numbers of 32 bits; unsigned ones become floating-point numbers.
 */
export type PostingList = Int32Array<ArrayBuffer>

/** How many positions are decoded between two yields. */
const positionsAtOnce = 1 << 15

/**
 * Decodes the list that begins at an offset (FORMAT.md, "Sentences"). Now and then it yields how
 * many positions it has decoded since.
 */
export function* readPostingList(bytes: Uint8Array, from: number): Generator<number, PostingList> {
  const reader = new ByteReader(bytes)
  reader.at = from
  const positions = new Int32Array(reader.varint())
  let { at } = reader
  for (let done = 0; done < positions.length; done += positionsAtOnce) {
    const end = Math.min(done + positionsAtOnce, positions.length)
    at = decode(bytes, at, positions, done, end)
    yield end - done
  }
  return positions
}

/** Decodes `positions[from … to)`; returns the offset behind the last one. */
function decode(bytes: Uint8Array, at: number, positions: PostingList, from: number, to: number): number {
  let position = from > 0 ? positions[from - 1]! : 0
  for (let i = from; i < to; i++) {
    let byte = bytes[at++]!
    // The steps of a frequent term are single bytes.
    if (byte > 127) {
      position = (position + (byte & 127)) | 0
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!
        position = (position + ((byte & 127) << shift)) | 0
      }
    } else position = (position + byte) | 0
    positions[i] = position
  }
  return at
}

/**
 * The first place from `from` on whose number is not below `value`; the length if there is none.
 * Its steps double, so that it takes little time if the place is near. `firstStep` is about how far
 * away it is expected, at least 1.
 */
export function placeOf(value: number, ascending: Int32Array, from: number, firstStep = 1): number {
  if (from >= ascending.length || ascending[from]! >= value) return from
  // The number at `low` is below, that at `high` is not.
  let low = from
  let high = from + firstStep
  for (let step = firstStep; high < ascending.length && ascending[high]! < value; step *= 2) {
    low = high
    high += step
  }
  if (high > ascending.length) high = ascending.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < value) low = middle
    else high = middle
  }
  return high
}
