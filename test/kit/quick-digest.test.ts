import { expect, test } from 'vitest'
import { quickDigest } from '#kit/quick-digest.ts'

test.each([
  ['', 0xef46db3751d8e999n],
  ['a', 0xd24ec4f1a98c6e5bn],
  ['abc', 0x44bc2cf5ad770999n],
])('the digest of %j is its XXH64, in base 36', (text, wanted) => {
  expect(quickDigest(Buffer.from(text))).toBe(wanted.toString(36))
})

test('a byte more, or another, is another digest', () => {
  const bytes = Buffer.alloc(100_000, 7)
  const changed = Buffer.from(bytes)
  changed[50_000] = 8
  const digests = [bytes, changed, bytes.subarray(1)].map(quickDigest)
  expect(new Set(digests).size).toBe(3)
})
