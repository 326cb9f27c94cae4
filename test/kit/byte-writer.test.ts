import { expect, test } from 'vitest'
import { ByteWriter } from '#kit/byte-writer.ts'

test('pieces come out one behind another, however long', () => {
  const out = new ByteWriter(4)
  const long = Buffer.from('x'.repeat(100))
  out.text('é')
  out.copy(long, 10, 90)
  out.copy(Buffer.from('abc'), 1, 2)
  out.byte(33)
  expect(out.take().toString()).toBe(`é${'x'.repeat(80)}b!`)
})

test('numbers are written as JSON writes them', () => {
  for (const value of [0, 7, 10, 99, 100, 65_536, 4_294_967_295, 123_456_789_012]) {
    const out = new ByteWriter(1)
    out.digits(value)
    expect(out.take().toString()).toBe(JSON.stringify(value))
  }
  for (let ms = 0; ms < 12_345; ms += 7) {
    const out = new ByteWriter(1)
    out.seconds(ms)
    expect(out.take().toString()).toBe(JSON.stringify(ms / 1000))
  }
})

test('a varint takes 7 bits a byte, the lowest first', () => {
  const out = new ByteWriter(1)
  for (const value of [0, 127, 128, 300]) out.varint(value)
  expect([...out.take()]).toEqual([0, 127, 128, 1, 172, 2])
})

test('what was taken stays when more is written', () => {
  const out = new ByteWriter(4)
  out.text('ab')
  const taken = out.take()
  out.length = 0
  out.text('cd')
  expect(taken.toString()).toBe('ab')
})
