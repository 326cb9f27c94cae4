import { describe, expect, test } from 'vitest'
import { faults, simulate } from '../../scripts/bench/leases.ts'

describe('a quota that regions borrow from', () => {
  test.each(faults)('is never overspent, and miscounted within its bound: $fault', (fault) => {
    for (const batch of [1, 10, 100])
      for (let seed = 1; seed <= 10; seed++) {
        const regions = 2 + (seed % 3)
        const { over, countedBelow, countedAbove, stranded } = simulate({
          seed,
          quota: 5_000,
          regions,
          batch,
          ...fault,
        })
        const lentToOne = batch + Math.floor(batch / 2)
        expect({ over, countedBelow }).toEqual({ over: 0, countedBelow: 0 })
        expect(countedAbove).toBeLessThanOrEqual(regions * lentToOne)
        expect(stranded).toBeLessThanOrEqual(fault.isRegionLost ? lentToOne : 0)
      }
  })

  test('is played from its seed alone', () => {
    const setting = { seed: 7, quota: 1_000, regions: 3, batch: 10, ...faults[2]! }
    expect(simulate(setting)).toEqual(simulate(setting))
  })
})
