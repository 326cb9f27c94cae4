/**
 * Rounds seconds to 3 decimals, as every time in a clip is published.
 *
 *     roundTime(1.23456) // 1.235
 */
export function roundTime(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

/**
 * Returns `part / whole` with the given number of decimals, with halves rounded up; 0 if `whole` is
 * 0. It takes integers, so that binary fractions do not affect how halves are rounded.
 *
 *     share(1, 8, 2) // 0.13
 */
export function share(part: number, whole: number, decimals: number): number {
  if (whole === 0) return 0
  const scale = 10 ** decimals
  return Math.floor((2 * part * scale + whole) / (2 * whole)) / scale
}
