import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packTermVector, TermVectorReader, type Term } from '#release/clips/term-vector.ts'

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

test('reads consecutive term vectors as they were packed', () => {
  const reader = new TermVectorReader()
  fc.assert(
    fc.property(someClip, ({ terms, groups }) => {
      const packed = packTermVector(terms, groups)
      reader.read(Uint8Array.from([9, 9, ...packed, 9]), 2, 2 + packed.length)
      const readTerms: Term[] = []
      while (reader.nextFirst()) {
        const { place, tStartMs, occurrenceCount, runLength, tokensBefore } = reader
        const [word, aloneCount] = [reader.words[place]!, reader.aloneCounts[place]!]
        readTerms.push({ word, aloneCount, tStartMs, occurrenceCount, runLength, tokensBefore })
      }
      const byWord = (all: readonly Term[]) => all.toSorted((a, b) => a.word - b.word)
      expect(byWord(readTerms)).toEqual(byWord(terms))
      const placeOf = (term: number) => readTerms.findIndex(({ word }) => word === terms[term]!.word)
      expect([...reader.groups.subarray(0, reader.groupsEnd)]).toEqual(
        groups.flatMap((group) => [group.tokenCount, group.terms.length, ...group.terms.map(placeOf)]),
      )
    }),
  )
})

test('the row of a withdrawn clip has no terms', () => {
  const reader = new TermVectorReader()
  reader.read(new Uint8Array(), 0, 0)
  expect([reader.termCount, reader.groupsEnd, reader.nextFirst()]).toEqual([0, 0, false])
})
