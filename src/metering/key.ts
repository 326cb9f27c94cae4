import { crc32 } from 'node:zlib'
import { sha256 } from '#kit/digest.ts'
import type { NewKey } from './store.ts'

/** Where randomness comes from: so many bytes of it, as `crypto.randomBytes` gives. Passed in, so that tests can fix it. */
export type RandomBytes = (sizeBytes: number) => Uint8Array

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62⁵ < 2³² < 62⁶. */
const checksumLength = 6

/**
 * A new key: `clk_`, 32 base62 characters (190 random bits), and a checksum of 6. The mark lets scanners of public code know
 * a leaked key, and the checksum tells a mistyped key from an unknown one without the store.
 */
export function mintKey(random: RandomBytes): string {
  const body = `clk_${randomBase62(32, random)}`
  return body + checksum(body)
}

/** Whether the text has the shape of a key and its checksum is right. Whether the key is in force, only the store knows. */
export function isKey(text: string): boolean {
  return /^clk_[0-9A-Za-z]{38}$/.test(text) && text.endsWith(checksum(text.slice(0, -checksumLength)))
}

/** What the store knows a key by: the SHA-256 of its text, 32 bytes. Unsalted, since a key is random, not chosen by a person. */
export function keyDigest(key: string): Buffer {
  return sha256(key)
}

/** What the store keeps of a key just minted, under a new id: `key_` and 12 base62 characters (71 random bits). */
export function toNewKey(key: string, random: RandomBytes): NewKey {
  return {
    keyId: `key_${randomBase62(12, random)}`,
    digest: keyDigest(key),
    prefix: key.slice(0, 8),
    last4: key.slice(-4),
  }
}

/** CRC-32 in base62, most significant first, filled up with `0`. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Bytes from 248 (4 × 62) up are thrown away: taken modulo 62 they would make the first characters likelier. */
function randomBase62(length: number, random: RandomBytes): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length - text.length)) if (byte < 248) text += base62.charAt(byte % 62)
  }
  return text
}
