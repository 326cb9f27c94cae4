/** `part / whole` rounded half up, in whole numbers so that a half is a half; 0 of nothing. */
export function halfUp(part: number, whole: number, decimals: number): number {
  if (whole === 0) return 0
  const scale = 10 ** decimals
  return Math.floor((2 * scale * part + whole) / (2 * whole)) / scale
}
