import { test } from 'vitest'

/**
 * Whether tests run in full, as before a change is merged: with `FAULT_ROUNDS=all`. Otherwise,
 * tests play a twentieth of their rounds, and those that take longest are skipped.
 */
export const hasAllFaultRounds = process.env.FAULT_ROUNDS === 'all'

if (!hasAllFaultRounds)
  process.stderr.write('the tests that take longest are skipped: FAULT_ROUNDS=all runs them, too\n')

/** A test that takes long, and runs only with `FAULT_ROUNDS=all`. */
// oxlint-disable-next-line vitest/no-disabled-tests
export const longTest = test.runIf(hasAllFaultRounds)

/**
 * How many of its rounds a test plays, in which processes are killed, or random corpora or requests
 * are made: a twentieth of them, at least one, or all of them with `FAULT_ROUNDS=all`.
 */
export function faultRounds(all: number): number {
  return hasAllFaultRounds ? all : Math.max(1, Math.round(all / 20))
}

/**
 * Returns the share of some items, such as moments or pages, that this run tests. The items are
 * spread evenly, and the last one is always among them.
 */
export function shareOf<T>(items: readonly T[]): T[] {
  const count = faultRounds(items.length)
  return Array.from({ length: count }, (_, i) => items[Math.ceil(((i + 1) * items.length) / count) - 1]!)
}
