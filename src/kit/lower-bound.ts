/**
 * Returns the first index of `from … to` at which `isBefore` is false; `to` if there is none.
 * `isBefore` must be true for all indexes before it and false for all after it. Takes log₂(to −
 * from) steps.
 *
 *     partitionPoint(0, 10, (i) => i * i < 50) // 8
 */
export function partitionPoint(from: number, to: number, isBefore: (place: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Returns the index of the first number in an ascending list that is not below `value`; its length
 * if all are.
 *
 *     lowerBound([10, 20, 20, 30], 20) // 1
 */
export function lowerBound(ascending: ArrayLike<number>, value: number): number {
  return partitionPoint(0, ascending.length, (place) => ascending[place]! < value)
}
