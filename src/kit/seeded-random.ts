/**
 * Returns a source of random numbers, 0 to 1, for a seed (mulberry32; Ettinger, public domain).
 *
 *     seededRandom(1)() === seededRandom(1)() // true
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
