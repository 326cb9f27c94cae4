import { ByteReader, packVarints } from '#kit/varint.ts'

/**
 * The ascending positions of a term in a segment. They are signed, because engines turn unsigned
 * numbers of 32 bits into floating-point numbers.
 */
export type PostingList = Int32Array<ArrayBuffer>

/** The number of positions to process between two yields. */
const positionsAtOnce = 1 << 15

/** Packs a list (FORMAT.md, "Sentences"). `positions` are ascending. */
export function packPostingList(positions: ArrayLike<number>): Uint8Array {
  const numbers = [positions.length]
  for (let i = 0; i < positions.length; i++) numbers.push(positions[i]! - (i > 0 ? positions[i - 1]! : 0))
  return packVarints(numbers)
}

/** Decodes the list at an offset. Regularly yields how many positions it has decoded since. */
export function* readPostingList(bytes: Uint8Array, from: number): Generator<number, PostingList> {
  const reader = new ByteReader(bytes)
  reader.at = from
  const positions = new Int32Array(reader.varint())
  let position = 0
  for (let start = 0; start < positions.length; start += positionsAtOnce) {
    const end = Math.min(start + positionsAtOnce, positions.length)
    for (let i = start; i < end; i++) positions[i] = position += reader.varint()
    yield end - start
  }
  return positions
}

/** Returns all positions of some lists, each once. Regularly yields how many it has processed. */
export function* unite(lists: readonly PostingList[]): Generator<number, PostingList> {
  // In pairs, the shortest first, so that no position is copied often.
  const remaining = lists.toSorted((a, b) => b.length - a.length)
  while (remaining.length > 1) {
    const union = yield* merge(remaining.pop()!, remaining.pop()!)
    remaining.push(union)
    remaining.sort((a, b) => b.length - a.length)
  }
  return remaining[0] ?? new Int32Array()
}

function* merge(a: PostingList, b: PostingList): Generator<number, PostingList> {
  const union = new Int32Array(a.length + b.length)
  let [i, k, count] = [0, 0, 0]
  while (i < a.length && k < b.length) {
    const until = Math.min(count + positionsAtOnce, union.length)
    const from = count
    while (i < a.length && k < b.length && count < until) {
      const [one, other] = [a[i]!, b[k]!]
      union[count++] = one < other ? one : other
      if (one <= other) i++
      if (other <= one) k++
    }
    yield count - from
  }
  const rest = i < a.length ? a.subarray(i) : b.subarray(k)
  union.set(rest, count)
  return union.subarray(0, count + rest.length)
}

/**
 * Returns the first index from `from` on whose number is not below `value`; the length if there is
 * none. The steps double, so that it takes little time if the index is near.
 */
export function placeOf(value: number, ascending: Int32Array, from: number): number {
  if (from >= ascending.length || ascending[from]! >= value) return from
  // The number at `low` is below `value`, and that at `high` is not.
  let low = from
  let high = from + 1
  for (let step = 1; high < ascending.length && ascending[high]! < value; step *= 2) {
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
