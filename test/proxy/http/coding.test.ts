import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { chooseCoding, compress } from '#proxy/http/coding.ts'

const large = 5000

describe('the coding of a large body', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['gzip', 'gzip'],
    ['zstd', 'zstd'],
    ['br', 'br'],
    ['BR', 'br'],
    ['gzip, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, zstd', 'zstd'],
    ['gzip;q=1.0, zstd;q=1.0', 'zstd'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, zstd;q=0, gzip', 'gzip'],
    ['br;q=0', 'identity'],
    ['br;q=0.000, gzip;q=0.001', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'zstd'],
    ['gzip, *;q=0', 'gzip'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['deflate', 'identity'],
    ['deflate, compress;q=0.9', 'identity'],
    ['*;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    [', ,', 'identity'],
    ['gzip;q=nonsense', 'identity'],
  ])('for Accept-Encoding %j is %s', (acceptEncoding, coding) => {
    expect(chooseCoding(acceptEncoding, large)).toBe(coding)
  })
})

test('a field of over 256 characters is ignored', () => {
  const coded = `br${', gzip;q=0.5'.repeat(21)}`
  expect([chooseCoding(coded, large), chooseCoding(`${coded}, gzip;q=0.5`, large)]).toEqual([
    'br',
    'identity',
  ])
})

describe('a body of at most 1 KiB', () => {
  test('goes as it is, one byte more does not', () => {
    expect(chooseCoding('br', 1024)).toBe('identity')
    expect(chooseCoding('br', 1025)).toBe('br')
  })

  test('is coded where the client refuses it as it is', () => {
    expect(chooseCoding('identity;q=0, gzip', 10)).toBe('gzip')
    expect(chooseCoding('gzip, *;q=0', 10)).toBe('gzip')
  })
})

describe('compressing', () => {
  const body = Buffer.from('sourdough '.repeat(500))
  const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync }

  test.each(['br', 'zstd', 'gzip'] as const)(
    'in %s makes a body smaller and loses nothing',
    async (coding) => {
      const bytes = await compress(body, coding)
      expect(bytes.length).toBeLessThan(body.length)
      expect(decoders[coding](bytes)).toEqual(body)
    },
  )
})

test('the same field is answered the same again, for small and large bodies alike', () => {
  for (let i = 0; i < 2; i++) {
    expect(chooseCoding('gzip;q=0.7', large)).toBe('gzip')
    expect(chooseCoding('gzip;q=0.7', 10)).toBe('identity')
  }
})
