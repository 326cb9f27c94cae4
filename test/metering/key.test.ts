import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { isKey, keyDigest, mintKey, toNewKey } from '#metering/key.ts'

/** Counts up from `start`: 0, 1, 2, … over all calls. */
function counting(start: number) {
  let next = start
  return (sizeBytes: number) => Uint8Array.from({ length: sizeBytes }, () => next++ % 256)
}

const known = mintKey(counting(0))

describe('a key', () => {
  test('is clk_, 32 characters of base62, and their CRC-32 in six more', () => {
    // python3: zlib.crc32(b'clk_0123456789ABCDEFGHIJKLMNOPQRSTUV') in base62
    expect(known).toBe('clk_0123456789ABCDEFGHIJKLMNOPQRSTUV4SdKNX')
  })

  test('is never the same twice', () => expect(mintKey(randomBytes)).not.toBe(mintKey(randomBytes)))

  test('skips bytes that would make some characters more likely', () => {
    // Values 248 to 255 would repeat 0 to 7.
    expect(mintKey(counting(248)).slice(0, -6)).toBe(known.slice(0, -6))
  })

  test('uses every character equally often over all accepted bytes', () => {
    const body = Array.from({ length: 31 }, (_, i) => mintKey(counting(i * 32)).slice(4, 36)).join('')
    const counts = Map.groupBy(body.slice(0, 248), (character) => character)
    expect([...counts.values()].map((group) => group.length)).toEqual(Array(62).fill(4))
  })
})

/** Computes the checksum of a key digit by digit. */
function checksum(body: string): string {
  const digits = Array.from({ length: 6 }, (_, i) => Math.floor(crc32(body) / 62 ** (5 - i)) % 62)
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  return digits.map((digit) => alphabet[digit]).join('')
}

describe('a text is recognised as a key without the store', () => {
  test('if it is a generated key', () => {
    expect(known.slice(0, -6) + checksum(known.slice(0, -6))).toBe(known)
    for (let i = 0; i < 200; i++) expect(isKey(mintKey(randomBytes))).toBe(true)
  })

  test('but not after any one character changes', () => {
    for (let i = 0; i < known.length; i++) {
      const other = known[i] === 'x' ? 'y' : 'x'
      expect(isKey(known.slice(0, i) + other + known.slice(i + 1))).toBe(false)
    }
  })

  test('but not after two neighbours change places', () => {
    expect(isKey(known.slice(0, 10) + known[11]! + known[10]! + known.slice(12))).toBe(false)
  })

  test.each([
    `x${known.slice(0, -6)}`,
    `${known.slice(0, -6)}W`,
    known.slice(0, -7),
    `CLK${known.slice(3, -6)}`,
  ])('but not %j with its checksum', (body) => expect(isKey(body + checksum(body))).toBe(false))

  test.each([
    '',
    'clk_',
    known.slice(0, -1),
    `${known}0`,
    ` ${known}`,
    `${known}\n`,
    known.toUpperCase(),
    'é'.repeat(42),
  ])('but not %j', (text) => expect(isKey(text)).toBe(false))
})

describe('the store keeps of a key', () => {
  const kept = toNewKey(known, counting(0))

  test('its SHA-256', () => {
    expect(kept.digest).toEqual(createHash('sha256').update(known).digest('hex'))
    expect(keyDigest(known)).toEqual(kept.digest)
  })

  test('its first eight characters, its last four and an id', () => {
    expect(kept).toMatchObject({ keyId: 'key_0123456789AB', prefix: 'clk_0123', last4: known.slice(-4) })
  })
})
