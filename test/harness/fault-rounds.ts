/**
 * Whether every round is played, as before a change is merged. Otherwise, tests play a fifth of
 * their rounds, and those that take minutes are skipped.
 */
export const hasAllFaultRounds = process.env.FAULT_ROUNDS === 'all'

if (!hasAllFaultRounds)
  process.stderr.write('the tests that take minutes are skipped: FAULT_ROUNDS=all runs them, too\n')

/**
 * How many of its rounds a test plays, in which processes are killed, or random corpora or requests
 * are made: a fifth of them, at least one, or all of them where `FAULT_ROUNDS` is `all`.
 */
export function faultRounds(all: number): number {
  return hasAllFaultRounds ? all : Math.max(1, Math.round(all / 5))
}

/**
 * That share of some items, such as moments or pages, spread evenly over them and with the last.
 */
export function shareOf<T>(items: readonly T[]): T[] {
  const count = faultRounds(items.length)
  return Array.from({ length: count }, (_, i) => items[Math.ceil(((i + 1) * items.length) / count) - 1]!)
}
