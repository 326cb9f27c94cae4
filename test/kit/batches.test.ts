import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batches } from '#kit/batches.ts'

test('every item is in one batch, in order, and a batch ends once it is large or long enough', () => {
  const sizes = fc.array(fc.nat(10), { maxLength: 40 })
  fc.assert(
    fc.property(
      sizes,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 6 }),
      (items, size, count) => {
        const made = [...batches(items, (n) => n, size, count)]
        expect(made.flat()).toEqual(items)
        const isFull = (batch: number[]) =>
          batch.length === count || batch.reduce((sum, n) => sum + n, 0) >= size
        for (const [i, batch] of made.entries()) {
          expect(batch.length).toBeGreaterThan(0)
          expect(isFull(batch.slice(0, -1)) && batch.length > 1).toBe(false)
          if (i < made.length - 1) expect(isFull(batch)).toBe(true)
        }
      },
    ),
  )
})
