import { expect, test } from 'vitest'
import { ByteReader } from '#kit/byte-reader.ts'
import { packVarints } from '#kit/varint.ts'

test('numbers are read as they were written', () => {
  const varints = [0, 127, 128, 300, 4_294_967_296, Number.MAX_SAFE_INTEGER]
  const bytes = packVarints(varints)
  const reader = new ByteReader(bytes)
  expect(varints.map(() => reader.varint())).toEqual(varints)
  expect(reader.at).toBe(bytes.length)
})

test('a number that the bytes end within is refused', () => {
  for (const bytes of [[], [128], [255, 255, 255]])
    expect(() => new ByteReader(Uint8Array.from(bytes)).varint()).toThrow(
      `cannot read a number: the ${bytes.length} bytes end within it`,
    )
})
