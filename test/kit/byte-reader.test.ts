import { expect, test } from 'vitest'
import { ByteReader } from '#kit/byte-reader.ts'
import { ByteWriter } from '#kit/byte-writer.ts'

test('numbers are read as they were written', () => {
  const varints = [0, 127, 128, 300, 4_294_967_296, Number.MAX_SAFE_INTEGER]
  const out = new ByteWriter(1)
  for (const value of varints) out.varint(value)
  const reader = new ByteReader(out.view())
  expect(varints.map(() => reader.varint())).toEqual(varints)
  expect(reader.at).toBe(out.length)
})

test('a number that the bytes end within is refused', () => {
  for (const bytes of [[], [128], [255, 255, 255]])
    expect(() => new ByteReader(Uint8Array.from(bytes)).varint()).toThrow(
      `cannot read a number: the ${bytes.length} bytes end within it`,
    )
})
