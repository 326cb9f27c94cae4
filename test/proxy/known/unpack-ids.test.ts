import fc from 'fast-check'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { packedIdsMax } from '#contract/known.ts'
import { unpackIds } from '#proxy/known/unpack-ids.ts'

function pack(bytes: Uint8Array): string {
  return deflateRawSync(bytes).toString('base64url')
}

/** The slow, obvious way to write what a packed set holds. */
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

describe('unpackIds', () => {
  it('returns the ids that were packed', () => {
    const idSets = fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 300 })
    fc.assert(
      fc.property(idSets, (ids) => {
        const ascending = ids.sort((a, b) => a - b)
        expect(unpackIds(pack(differences(ascending)))).toEqual(ascending)
      }),
    )
  })

  it('reads a set that another encoder made', () => {
    // Python: base64.urlsafe_b64encode(zlib.compressobj(9, 8, -15)…) of 03 01 ac 02
    expect(unpackIds('Y2ZcwwQA')).toEqual([3, 4, 304])
  })

  it.each([
    ['one character too many', 'AwAAA', 'base64url'],
    ['bytes that are not DEFLATE', Buffer.from('hello there').toString('base64url'), 'DEFLATE'],
    ['a stream that is cut', pack(differences([1, 500, 90_000])).slice(0, 4), 'DEFLATE'],
    ['nothing', '', 'DEFLATE'],
    ['the same id twice', pack(Uint8Array.of(5, 0)), 'ascend'],
    ['a number that the bytes end within', pack(Uint8Array.of(5, 0x80)), 'does not end'],
    ['a number of six bytes', pack(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 1)), 'does not end'],
    ['one id too many', pack(new Uint8Array(packedIdsMax + 1).fill(1)), `more than ${packedIdsMax}`],
    ['a bomb', pack(new Uint8Array(4_000_000)), `more than ${packedIdsMax}`],
  ])('refuses %s', (_, packed, fault) => {
    expect(unpackIds(packed)).toEqual({ fault: expect.stringContaining(fault) })
  })

  it('takes the largest set that is allowed', () => {
    const largest = unpackIds(pack(new Uint8Array(packedIdsMax).fill(1)))
    expect(largest).toHaveProperty('length', packedIdsMax)
  })
})
