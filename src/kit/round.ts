/** Seconds with at most 3 decimals, as every time in a clip is published. */
export function roundTime(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

/**
 * `part / whole` with the given decimals, halves up, 0 where `whole` is 0. Integers in, so that no
 * binary fraction decides which way a half goes.
 */
export function share(part: number, whole: number, decimals: number): number {
  if (whole === 0) return 0
  const scale = 10 ** decimals
  return Math.floor((2 * part * scale + whole) / (2 * whole)) / scale
}
