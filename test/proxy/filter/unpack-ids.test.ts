import fc from 'fast-check'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { packedIdsMax } from '#contract/known.ts'
import { unpackIds } from '#proxy/filter/unpack-ids.ts'

const pack = (bytes: Uint8Array): string => deflateRawSync(bytes).toString('base64url')

/** Encodes a packed set in a slow, obvious way. */
function differences(ids: readonly number[]): Uint8Array {
  const bytes: number[] = []
  let before = 0
  for (const id of ids) {
    let rest = id - before
    before = id
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  return Uint8Array.from(bytes)
}

const copyBytes = (differences: Uint8Array) => Uint8Array.from(differences)

describe('unpackIds', () => {
  it('returns the differences of the ids that were packed', () => {
    const idSets = fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 300 })
    fc.assert(
      fc.property(idSets, (ids) => {
        const bytes = differences(ids.sort((a, b) => a - b))
        expect(unpackIds(pack(bytes), copyBytes)).toEqual(bytes)
      }),
    )
  })

  it('reads a set from another encoder', () => {
    // Python: base64.urlsafe_b64encode(zlib.compressobj(9, 8, -15)…) of 03 01 ac 02
    expect(unpackIds('Y2ZcwwQA', copyBytes)).toEqual(Uint8Array.of(3, 1, 0xac, 2))
  })

  it.each([
    ['one character too many', 'AwAAA', 'base64url'],
    ['stray bits in the last character', 'Y2Zk5AR', 'base64url'],
    ['bytes that are not DEFLATE', Buffer.from('hello there').toString('base64url'), 'DEFLATE'],
    ['a stream that is cut', pack(differences([1, 500, 90_000])).slice(0, 4), 'DEFLATE'],
    ['nothing', '', 'DEFLATE'],
    ['the same id twice', pack(Uint8Array.of(5, 0)), 'ascend'],
    ['a number that the bytes end within', pack(Uint8Array.of(5, 0x80)), 'is cut off'],
    ['a number of six bytes', pack(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 1)), 'too large'],
    ['a number with a byte too many', pack(Uint8Array.of(5, 0x81, 0)), 'not in its shortest encoding'],
    ['an id of 33 bits', pack(differences([2 ** 32])), 'too large'],
    ['an id whose sum has 33 bits', pack(Uint8Array.of(...differences([2 ** 32 - 1]), 1)), 'too large'],
    ['one id too many', pack(new Uint8Array(packedIdsMax + 1).fill(1)), `more than ${packedIdsMax}`],
    ['a bomb', pack(new Uint8Array(4_000_000)), `more than ${packedIdsMax}`],
  ])('refuses %s', (_, packed, fault) => {
    expect(unpackIds(packed, copyBytes)).toEqual({ fault: expect.stringContaining(fault) })
  })

  it.each([
    ['close', new Uint8Array(packedIdsMax).fill(1)],
    ['far', Buffer.alloc(3 * packedIdsMax, Buffer.of(0xd0, 0xa7, 1))],
  ])('accepts the largest allowed set, with ids as %s as possible', (_, bytes) => {
    expect(unpackIds(pack(bytes), copyBytes)).toHaveLength(bytes.length)
  })

  it('frees the memory of a set at once, even if it is refused', () => {
    const memoryAfter = (bytes: Uint8Array) => {
      let unpacked: Uint8Array = new Uint8Array()
      const result = unpackIds(pack(bytes), (differences) => void (unpacked = differences))
      return { result, size: unpacked.buffer.byteLength }
    }
    expect(memoryAfter(Uint8Array.of(1, 2))).toEqual({ result: undefined, size: 0 })
    const sizeBefore = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 50; i++) unpackIds(pack(Uint8Array.of(5, 0)), copyBytes)
    expect(process.memoryUsage().arrayBuffers - sizeBefore).toBeLessThan(10_000_000)
  })

  it('does not allocate memory for the largest set to refuse a short text', () => {
    const packed = Buffer.from('hello there').toString('base64url')
    const sizeBefore = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 50; i++) unpackIds(packed, copyBytes)
    expect(process.memoryUsage().arrayBuffers - sizeBefore).toBeLessThan(10_000_000)
  })
})
