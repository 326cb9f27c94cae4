import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batches } from '#kit/batches.ts'

test('puts every item into one batch, in order, and ends a batch once it is large or old enough', () => {
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
