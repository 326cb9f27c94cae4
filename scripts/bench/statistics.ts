/** The middle of some measurements; of an even number the upper one of the two. */
export function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}

/** The value that a share of the sorted measurements is below. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

/** `1.2–3.4`: the least and the most. */
export function spread(values: readonly number[], decimals: number): string {
  return `${Math.min(...values).toFixed(decimals)}–${Math.max(...values).toFixed(decimals)}`
}
