import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Hmac } from '#kit/hmac.ts'

test('is the HMAC-SHA-256 of Node, for every key of up to 64 bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.uint8Array({ maxLength: 300 }), (key, message) => {
      const expected = createHmac('sha256', key).update(message).digest('latin1')
      expect(new Hmac(Buffer.from(key)).sign(Buffer.from(message))).toBe(expected)
    }),
    { seed: 20260301, numRuns: 300 },
  )
})

test('gives the answer of RFC 4231, test case 2', () => {
  const signature = new Hmac(Buffer.from('Jefe')).sign(Buffer.from('what do ya want for nothing?'))
  expect(Buffer.from(signature, 'latin1').toString('hex')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})

test('refuses a longer key', () => {
  expect(() => new Hmac(Buffer.alloc(65))).toThrow(
    'cannot sign with the key: it must have at most 64 bytes, it has 65',
  )
})
