import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { percentDecode } from '#kit/percent-decode.ts'

const inPath = { plusIsSpace: false }
const inQuery = { plusIsSpace: true }

describe('percent-decoding', () => {
  test.each([
    ['plain', 'plain'],
    ['', ''],
    ['a%20b', 'a b'],
    ['caf%C3%A9', 'café'],
    ['caf%c3%a9', 'café'],
    ['%F0%9F%90%88', '🐈'],
    ['%EF%BB%BFx', '\ufeffx'],
    ['100%25', '100%'],
    ['%2525', '%25'],
  ])('reads %j as %j', (raw, text) => {
    expect(percentDecode(raw, inPath)).toBe(text)
  })

  test('takes raw UTF-8 bytes as they are, alone and next to escapes', () => {
    const raw = Buffer.from('café', 'utf8').toString('latin1')
    expect(percentDecode(raw, inQuery)).toBe('café')
    expect(percentDecode(`${raw}%20🐈`.replace('🐈', '%F0%9F%90%88'), inQuery)).toBe('café 🐈')
  })

  test('takes + for a space in a query only; %2B is a plus everywhere', () => {
    expect(percentDecode('a+b', inQuery)).toBe('a b')
    expect(percentDecode('a+b', inPath)).toBe('a+b')
    expect(percentDecode('a%2Bb', inQuery)).toBe('a+b')
  })

  test.each(['%', '%4', '%zz', 'a%2', '%%20', '%u0041'])('refuses the broken escape in %j', (raw) => {
    expect(percentDecode(raw, inQuery)).toBeNull()
  })

  test.each([
    ['a lone continuation', '%80'],
    ['a sequence cut short', '%C3'],
    ['an overlong NUL', '%C0%80'],
    ['an overlong slash', '%E0%80%AF'],
    ['a surrogate', '%ED%A0%80'],
    ['what lies past the last code point', '%F4%90%80%80'],
    ['a raw byte that is no UTF-8', '\xff'],
  ])('refuses %s', (_, raw) => {
    expect(percentDecode(raw, inQuery)).toBeNull()
  })

  test('refuses NUL, escaped or raw', () => {
    expect(percentDecode('a%00b', inQuery)).toBeNull()
    expect(percentDecode('a\0b', inQuery)).toBeNull()
  })

  test('gives back whatever encodeURIComponent makes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
        (text) => {
          expect(percentDecode(encodeURIComponent(text), inQuery)).toBe(text)
        },
      ),
      { seed: 20260301, numRuns: 300 },
    )
  })
})
