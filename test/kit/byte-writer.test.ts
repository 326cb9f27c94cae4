import { expect, test } from 'vitest'
import { ByteWriter } from '#kit/byte-writer.ts'

test('pieces come out one behind another, however long', () => {
  const out = new ByteWriter(4)
  const long = Buffer.from('x'.repeat(100))
  out.text('é')
  out.copy(long, 10, 90)
  out.copy(Buffer.from('abc'), 1, 2)
  out.byte(33)
  expect(out.view().toString()).toBe(`é${'x'.repeat(80)}b!`)
})

test('a varint takes 7 bits a byte, the lowest first', () => {
  const out = new ByteWriter(1)
  for (const value of [0, 127, 128, 300]) out.varint(value)
  expect([...out.view()]).toEqual([0, 127, 128, 1, 172, 2])
})
