import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packTermVector, TermVectorReader, type Term, type TokenGroup } from '#release/clips/term-vector.ts'

const counts = fc.integer({ min: 1, max: 300 })
const someTerm = fc.record({
  word: fc.integer({ min: 0, max: 2 ** 31 }),
  occurrenceCount: counts,
  aloneCount: fc.integer({ min: 0, max: 300 }),
  tStartMs: fc.integer({ min: 0, max: 180_000 }),
  token: fc.nat(2_000),
  runLength: fc.integer({ min: 1, max: 20 }),
})
const someTerms = fc.array(someTerm).map((terms) => terms.sort((a, b) => a.tStartMs - b.tStartMs))
const someGroups = fc.array(fc.record({ terms: fc.array(counts, { minLength: 2 }), tokenCount: counts }))

test('a term vector reads back as it was packed, wherever it lies', () => {
  fc.assert(
    fc.property(someTerms, someGroups, (terms, groups) => {
      const packed = packTermVector(terms, groups)
      const bytes = Uint8Array.from([9, 9, ...packed, 9])
      const reader = new TermVectorReader(bytes, 2, 2 + packed.length)
      const readTerms: Term[] = []
      const readGroups: TokenGroup[] = []
      while (reader.nextTerm()) {
        const { word, occurrenceCount, aloneCount, tStartMs, token, runLength } = reader
        readTerms.push({ word, occurrenceCount, aloneCount, tStartMs, token, runLength })
      }
      while (reader.nextGroup()) readGroups.push({ terms: [...reader.terms], tokenCount: reader.tokenCount })
      expect(readTerms).toEqual(terms)
      expect(readGroups).toEqual(groups)
    }),
  )
})

test('the row of a withdrawn clip has no terms', () => {
  const reader = new TermVectorReader(new Uint8Array(), 0, 0)
  expect([reader.nextTerm(), reader.nextGroup()]).toEqual([false, false])
})

test('a word that is said once takes three bytes, or four among the rarest', () => {
  const term = { occurrenceCount: 1, aloneCount: 1, tStartMs: 0, token: 0, runLength: 1 }
  const sizeOf = (word: number) => packTermVector([{ ...term, word }], []).length - 2
  expect([sizeOf(31), sizeOf(4000), sizeOf(50_000)]).toEqual([2, 3, 4])
})
