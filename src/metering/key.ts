import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { NewKey } from './account-record.ts'

/** Returns random bytes. Tests fix them. */
type RandomBytes = (sizeBytes: number) => Uint8Array

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62⁵ < 2³² < 62⁶. */
const checksumLength = 6

/**
 * Creates a new key: `clk_`, 32 base62 characters (190 random bits) and a checksum of 6, which
 * detects a mistyped key without the store. Scanners of public code recognise keys by the prefix.
 */
export function mintKey(random: RandomBytes = randomBytes): string {
  const body = `clk_${randomBase62(32, random)}`
  return body + checksum(body)
}

/** Whether the text has the form and the checksum of a key. Only the store knows if it is valid. */
export function isKey(text: string): boolean {
  return /^clk_[0-9A-Za-z]{38}$/.test(text) && text.endsWith(checksum(text.slice(0, -checksumLength)))
}

/**
 * Returns the SHA-256 (hex) by which the store finds a key. Keys are random, so they need no salt.
 */
export function keyDigest(key: string): string {
  // Like `sha256`, but without an intermediate Buffer, which takes three times as long.
  return hash('sha256', key, 'hex')
}

/**
 * Returns the record of a new key, with a new id: `key_` and 12 base62 characters (71 random bits).
 */
export function toNewKey(key: string, random: RandomBytes = randomBytes): NewKey {
  return {
    keyId: `key_${randomBase62(12, random)}`,
    digest: keyDigest(key),
    prefix: key.slice(0, 8),
    last4: key.slice(-4),
  }
}

/** Returns the CRC-32 in base62, most significant digit first, padded with `0`. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/**
 * Discards bytes from 248 (4 × 62) on, which would make the first characters more likely modulo 62.
 */
function randomBase62(length: number, random: RandomBytes): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length - text.length)) if (byte < 248) text += base62.charAt(byte % 62)
  }
  return text
}
