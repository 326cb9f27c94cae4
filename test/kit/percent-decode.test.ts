import fc from 'fast-check'
import { expect, test } from 'vitest'
import { percentDecode } from '#kit/percent-decode.ts'

const inPath = { plusIsSpace: false }
const inQuery = { plusIsSpace: true }
const rawUtf8 = Buffer.from('café', 'utf8').toString('latin1')

test.each([
  ['', ''],
  ['a%20b', 'a b'],
  ['caf%C3%A9', 'café'],
  ['caf%c3%a9', 'café'],
  ['%F0%9F%90%88', '🐈'],
  ['%EF%BB%BFx', '\ufeffx'],
  ['%2525', '%25'],
  [rawUtf8, 'café'],
  [`${rawUtf8}%20%F0%9F%90%88`, 'café 🐈'],
  ['a+b', 'a+b'],
  ['a%2Bb', 'a+b'],
])('reads %j as %j', (raw, text) => expect(percentDecode(raw, inPath)).toBe(text))

test('reads + as a space only in a query, and %2B as a plus everywhere', () => {
  expect(percentDecode('a+b%2Bc', inQuery)).toBe('a b+c')
})

test.each([
  ...['%', '%4', '%zz', 'a%2', '%%20', '%u0041'].map((raw) => ['a broken escape', raw]),
  ['a lone continuation', '%80'],
  ['a sequence cut short', '%C3'],
  ['an overlong NUL', '%C0%80'],
  ['an overlong slash', '%E0%80%AF'],
  ['a surrogate', '%ED%A0%80'],
  ['what lies past the last code point', '%F4%90%80%80'],
  ['a raw byte that is no UTF-8', '\xff'],
  ['an escaped NUL', 'a%00b'],
  ['a raw NUL', 'a\0b'],
])('refuses %s: %j', (_, raw) => expect(percentDecode(raw!, inQuery)).toBeNull())

test('reverses encodeURIComponent for any text', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((made) => !made.includes('\0'))
  fc.assert(
    fc.property(text, (made) => {
      expect(percentDecode(encodeURIComponent(made), inQuery)).toBe(made)
    }),
    { seed: 20260301, numRuns: 300 },
  )
})
