import { expect, test } from 'vitest'
import { ByteReader } from '#kit/byte-reader.ts'
import { ByteWriter } from '#kit/byte-writer.ts'

test('numbers are read as they were written', () => {
  const varints = [0, 127, 128, 300, 4_294_967_296, Number.MAX_SAFE_INTEGER]
  const words = [0, 255, 65_536, 2_147_483_648, 4_294_967_295]
  const out = new ByteWriter(1)
  for (const value of varints) out.varint(value)
  out.byte(200)
  for (const value of words) out.u32(value)
  const reader = new ByteReader(out.view())
  expect(varints.map(() => reader.varint())).toEqual(varints)
  expect(reader.byte()).toBe(200)
  expect(words.map(() => reader.u32())).toEqual(words)
  expect(reader.at).toBe(out.length)
})

test('a number that the bytes end within is refused', () => {
  for (const bytes of [[], [128], [255, 255, 255]])
    expect(() => new ByteReader(Uint8Array.from(bytes)).varint()).toThrow(
      `cannot read a number: the ${bytes.length} bytes end within it`,
    )
})
