import { expect, test } from 'vitest'
import { nameDigest, sha256, shortDigest } from '#kit/digest.ts'

// FIPS 180-4, the example "abc".
const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

test('a digest is the SHA-256 of the bytes, of a text its UTF-8', () => {
  expect(sha256('abc').toString('hex')).toBe(abc)
  expect(sha256('é')).toEqual(sha256(Uint8Array.of(0xc3, 0xa9)))
})

test('the short digest is its first 96 bits, base64url', () => {
  expect(Buffer.from(shortDigest('abc'), 'base64url').toString('hex')).toBe(abc.slice(0, 24))
  expect(shortDigest('abc')).toMatch(/^[\w-]{16}$/)
})

test('the digest of a name is its first 64 bits, in lower-case hexadecimal', () => {
  expect(nameDigest('abc')).toBe(abc.slice(0, 16))
})
