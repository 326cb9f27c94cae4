/**
 * Sorts pairs of 32-bit numbers by the first, then by the second, and returns the firsts and the
 * seconds. `pairs` holds each second before its first: so a pair is one 64-bit number in
 * little-endian memory, and the engine sorts those without making an object of any.
 *
 *     sortPairs(new Uint32Array([9, 2, 8, 1])) // [Uint32Array.of(1, 2), Uint32Array.of(8, 9)]
 */
export function sortPairs(
  pairs: Uint32Array<ArrayBuffer>,
): [firsts: Uint32Array<ArrayBuffer>, seconds: Uint32Array<ArrayBuffer>] {
  const sorted = new BigUint64Array(pairs.slice().buffer).sort()
  const halves = new Uint32Array(sorted.buffer)
  const firsts = new Uint32Array(sorted.length)
  const seconds = new Uint32Array(sorted.length)
  for (let i = 0; i < sorted.length; i++) {
    seconds[i] = halves[i * 2]!
    firsts[i] = halves[i * 2 + 1]!
  }
  return [firsts, seconds]
}
