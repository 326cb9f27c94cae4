import { describe, expect, test } from 'vitest'
import { chooseCoding } from '#proxy/http/coding.ts'

const large = 5000

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
])('the coding of a large response for Accept-Encoding %j is %s', (acceptEncoding, coding) => {
  // Called twice, because the cached result must be the same.
  for (let i = 0; i < 2; i++) expect(chooseCoding(acceptEncoding, large)).toBe(coding)
})

test('ignores a field of over 256 characters', () => {
  const coded = `br${', gzip;q=0.5'.repeat(21)}`
  expect([chooseCoding(coded, large), chooseCoding(`${coded}, gzip;q=0.5`, large)]).toEqual([
    'br',
    'identity',
  ])
})

describe('a response of at most 1 KiB', () => {
  test('is not compressed, unlike one of a byte more', () => {
    expect([1024, 1025, 1024].map((size) => chooseCoding('br', size))).toEqual(['identity', 'br', 'identity'])
  })

  test('is compressed if the client refuses it uncompressed', () => {
    expect(chooseCoding('identity;q=0, gzip', 10)).toBe('gzip')
    expect(chooseCoding('gzip, *;q=0', 10)).toBe('gzip')
  })
})
