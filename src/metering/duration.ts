const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Ten years. More is a mistake, and could give a date after the year 9999. */
const longestMs = 3650 * unitMs.d

/**
 * Parses a duration such as `90s`, `30m`, `24h`, `7d` or `0`, and returns it in milliseconds.
 *
 * @throws {RangeError} not of this form, or more than 3650 days
 */
export function parseDuration(text: string): number {
  if (text === '0') return 0
  const [, count, unit] = /^(\d{1,12})([smhd])$/.exec(text) ?? []
  if (count === undefined) {
    throw new RangeError(
      `cannot read the duration "${text}": it must be 0, or a number followed by s, m, h or d, such as 24h`,
    )
  }
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs]
  if (ms > longestMs) throw new RangeError(`cannot use the duration "${text}": it must be at most 3650d`)
  return ms
}
