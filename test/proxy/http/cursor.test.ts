import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '#metering/store.ts'
import { Cursors } from '#proxy/http/cursor.ts'

const cursors = new Cursors().use(Buffer.alloc(32, 7))
const fields = ['en', 'monday', '300', '20']
const knownAnswer = 'BGVuAG1vbmRheQAzMDAAMjAQ_SOhZ8abcuzp81N7HIgx'
const knownAnswerOfVersion3 = 'A2VuAG1vbmRheQAzMDAAMjDKoKCnqV4s37bWosVZg1kv'

const anyField = fc.string({ unit: 'binary', maxLength: 100 }).filter((text) => !text.includes('\0'))

test('a cursor returns every field that was sealed in it, and needs no escaping in a query', () => {
  fc.assert(
    fc.property(fc.array(anyField, { minLength: 1, maxLength: 6 }), (list) => {
      const cursor = cursors.seal('feed', list)
      expect(cursors.open('feed', cursor)).toEqual(list)
      expect(cursor).toMatch(/^[\w-]+$/)
    }),
    { numRuns: 500 },
  )
})

test('a cursor has a stable format: walks continue after a restart', () => {
  expect(cursors.seal('feed', fields)).toBe(knownAnswer)
  expect(cursors.seal('feed', ['猫'])).toBe('BKvmARO-5MFkkw0wfYF6F17mxSk')
  expect(cursors.open('feed', knownAnswer)).toEqual(fields)
  expect(cursors.open('feed', knownAnswerOfVersion3)).toEqual(fields)
})

test.each(['a', 'é', '猫', '🐈'])(
  'a cursor of the longest search for %j is within 512 characters',
  (char) => {
    const fields = [char.repeat(100), 'en', 'A1,A2,B1,B2,C1,C2', 'false', String(2 ** 40)]
    expect(cursors.seal('listWords tree', fields).length).toBeLessThanOrEqual(512)
  },
)

test('refuses a cursor that is altered, truncated or longer, wherever it is', () => {
  for (let at = 0; at < knownAnswer.length; at++) {
    const [before, behind] = [knownAnswer.slice(0, at), knownAnswer.slice(at + 1)]
    const altered = [...'AZaz09-_']
      .map((char) => before + char + behind)
      .filter((text) => text !== knownAnswer)
    for (const text of [before, ...altered]) expect(cursors.open('feed', text)).toBeNull()
  }
  for (const more of ['A', '=', '==', ' ', '\n', 'AAAA'])
    expect(cursors.open('feed', knownAnswer + more)).toBeNull()
})

test('refuses a cursor of another scope or sealed with another secret', () => {
  expect(cursors.open('words', knownAnswer)).toBeNull()
  expect(new Cursors().use(Buffer.alloc(32, 8)).open('feed', knownAnswer)).toBeNull()
})

test('without a secret, cursors can be neither sealed nor opened', () => {
  expect(() => new Cursors().seal('feed', fields)).toThrow(StoreUnavailable)
  expect(() => new Cursors().open('feed', knownAnswer)).toThrow(StoreUnavailable)
})
