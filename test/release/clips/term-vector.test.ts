import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packTermVector, unpackTermVector, type Term } from '#release/clips/term-vector.ts'

const counts = fc.integer({ min: 1, max: 300 })
const someTerm = fc.record({
  word: fc.oneof(fc.nat(300), fc.nat(70_000), fc.nat(2 ** 31 - 1)),
  aloneCount: fc.integer({ min: 0, max: 300 }),
  tStartMs: fc.integer({ min: 0, max: 180_000 }),
  occurrenceCount: counts,
  runLength: fc.integer({ min: 1, max: 20 }),
  tokensBefore: fc.nat(2),
})
const someTerms = fc.uniqueArray(someTerm, { selector: ({ word }) => word, minLength: 1 })
const someClip = someTerms.chain((terms) => {
  const members = fc.array(fc.nat(terms.length - 1), { minLength: 2, maxLength: 5 })
  return fc.record({
    terms: fc.constant(terms),
    groups: fc.array(fc.record({ terms: members, tokenCount: counts })),
  })
})

test('reads a term vector as it was packed', () => {
  fc.assert(
    fc.property(someClip, ({ terms, groups }) => {
      const unpacked = unpackTermVector(packTermVector(terms, groups))
      const byWord = (all: readonly Term[]) => all.toSorted((a, b) => a.word - b.word)
      expect(byWord(unpacked.terms)).toEqual(byWord(terms))
      const placeOf = (term: number) => unpacked.terms.findIndex(({ word }) => word === terms[term]!.word)
      expect(unpacked.groups).toEqual(groups.map((group) => ({ ...group, terms: group.terms.map(placeOf) })))
    }),
  )
})

test('the row of a withdrawn clip has no terms', () => {
  expect(unpackTermVector(new Uint8Array())).toEqual({ terms: [], groups: [] })
})
