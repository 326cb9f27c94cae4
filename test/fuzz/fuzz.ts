/**
 * Fuzzing: subjects are given random values, and must end in a value or in an error that says what
 * is wrong and where. `npm test` runs a hundredth of the cases. To run all 100,000:
 *
 *     FUZZ=nightly vitest run test/fuzz
 *
 * FAST_CHECK_SEED chooses other values. To add a case, describe its values and what must hold:
 *
 *     fuzz('paths with dots', 500, dottedPath, async (path) => {
 *       await server.expectAnswer(`/v1/${path}`, [400, 404])
 *     })
 */
import fc from 'fast-check'
import { test } from 'vitest'

export const isNightly = process.env.FUZZ === 'nightly'
const seed = Number(process.env.FAST_CHECK_SEED ?? 20_260_301)

/** Tests that a check passes for random values: this many in a nightly run. */
export function fuzz<T>(
  title: string,
  nightlyCases: number,
  values: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
): void {
  const numRuns = isNightly ? nightlyCases : Math.max(1, Math.round(nightlyCases / 100))
  test(`${title} (${numRuns} cases)`, { timeout: 3_600_000 }, async () => {
    await fc.assert(fc.asyncProperty(values, check), { seed, numRuns })
  })
}
