/** A delta between the tables of two releases (FORMAT.md, "Deltas"), compressed with zstd. */

export const magic = 'clipdelt'
/** The magic and the version of the format of the release. */
export const headBytes = 12

/** Maps integers to integers ≥ 0, small ones to small ones. */
export function toZigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

/** Reverses `toZigzag`. */
export function fromZigzag(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2
}
