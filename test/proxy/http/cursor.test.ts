import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Cursors, type Field } from '#proxy/http/cursor.ts'

const cursors = new Cursors(Buffer.alloc(32, 7))
const fields = ['en', 'monday', 300, 20] as const

const anyField: fc.Arbitrary<Field> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.integer({ min: 0, max: 2 ** 48 - 1 }),
)

describe('a cursor', () => {
  test('gives back every field it was sealed with', () => {
    fc.assert(
      fc.property(fc.array(anyField, { minLength: 1, maxLength: 6 }), (list) => {
        expect(cursors.open('feed', cursors.seal('feed', list))).toEqual(list)
      }),
      { seed: 20260301, numRuns: 500 },
    )
  })

  test('is the same text for the same fields', () => {
    expect(cursors.seal('feed', fields)).toBe(cursors.seal('feed', fields))
  })

  test('has a form that stays as it is: walks under way outlive a restart', () => {
    expect(cursors.seal('feed', fields)).toBe(knownAnswer)
    expect(cursors.open('feed', knownAnswer)).toEqual(fields)
  })

  test('needs no escaping in a query', () => {
    expect(cursors.seal('feed', ['?&=+ %', 'żółw'])).toMatch(/^[\w-]+$/)
  })

  test('of the longest search stays within 512 characters', () => {
    for (const char of ['a', 'é', '猫', '🐈']) {
      const fields = [char.repeat(100), 'en', 'A1,A2,B1,B2,C1,C2', 'false', 2 ** 40]
      const cursor = cursors.seal('listWords tree', fields)
      expect(cursor.length).toBeLessThanOrEqual(512)
    }
  })
})

describe('what is no cursor of ours', () => {
  const cursor = cursors.seal('feed', fields)

  test('an altered character, whichever and wherever', () => {
    for (let at = 0; at < cursor.length; at++) {
      for (const char of 'AZaz09-_') {
        if (char === cursor[at]) continue
        expect(cursors.open('feed', cursor.slice(0, at) + char + cursor.slice(at + 1))).toBeNull()
      }
    }
  })

  test('a cursor cut short at any place, or with something added', () => {
    for (let end = 0; end < cursor.length; end++)
      expect(cursors.open('feed', cursor.slice(0, end))).toBeNull()
    for (const more of ['A', '=', '==', ' ', '\n', 'AAAA'])
      expect(cursors.open('feed', cursor + more)).toBeNull()
  })

  test('a cursor of another scope', () => {
    expect(cursors.open('words', cursor)).toBeNull()
  })

  test('a cursor sealed with another secret', () => {
    expect(new Cursors(Buffer.alloc(32, 8)).open('feed', cursor)).toBeNull()
  })

  test('any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(cursors.open('feed', text)).toBeNull()
      }),
      { seed: 20260301, numRuns: 500 },
    )
  })
})

const knownAnswer = 'AgEAAmVuAQAGbW9uZGF5AAAAAAABLAAAAAAAABQNS1tdGaE3oTVJjTuu78N5'
