/**
 * Sorts pairs of 32-bit numbers by the first, then by the second. `pairs` holds the second before the first: so each pair is one 64-bit number as the
 * (little-endian) memory has it, and the engine sorts those without making an object of any.
 *
 * Gives the firsts and the seconds.
 */
export function sortPairs(
  pairs: Uint32Array<ArrayBuffer>,
): [firsts: Uint32Array<ArrayBuffer>, seconds: Uint32Array<ArrayBuffer>] {
  const sorted = new BigUint64Array(pairs.slice().buffer).sort()
  const halves = new Uint32Array(sorted.buffer)
  const pick = (offset: number) =>
    Uint32Array.from({ length: sorted.length }, (_, i) => halves[i * 2 + offset]!)
  return [pick(1), pick(0)]
}
