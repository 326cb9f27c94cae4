import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteWriter, pieceOf, viewOf } from '#kit/byte-writer.ts'

test('pieces come out one behind another, however long', () => {
  const out = new ByteWriter(4)
  const long = Buffer.from('x'.repeat(100))
  out.text('é')
  out.copy(long, 10, 90)
  out.copy(Buffer.from('abc'), 1, 2)
  out.byte(33)
  expect(out.view().toString()).toBe(`é${'x'.repeat(80)}b!`)
})

test('bytes are taken out of a view, whatever their place and number, and written over others', () => {
  const source = Buffer.from(Array.from({ length: 300 }, (_, i) => i))
  const view = viewOf(source.subarray(3))
  fc.assert(
    fc.property(fc.nat(40), fc.nat(100), fc.nat(100), (before, from, count) => {
      const out = new ByteWriter(1)
      out.text('x'.repeat(before))
      out.append(view, from, from + count)
      out.piece(pieceOf('é!'))
      const other = new ByteWriter(1)
      other.text('abcdefghij')
      out.appendFrom(other, 2, 4)
      const wanted = [
        Buffer.from('x'.repeat(before)),
        source.subarray(3 + from, 3 + from + count),
        Buffer.from('é!cd'),
      ]
      expect(out.view()).toEqual(Buffer.concat(wanted))
      out.overwrite(Math.floor(before / 2), view, 5, Math.ceil(count / 2))
      const over = Buffer.concat(wanted)
      source.copy(over, Math.floor(before / 2), 8, 8 + Math.ceil(count / 2))
      expect(out.view()).toEqual(over)
    }),
  )
})

test('a text is written behind its length in bytes, whatever its characters', () => {
  for (const text of [
    '',
    'run',
    'é',
    'run é',
    'x'.repeat(127),
    'x'.repeat(128),
    'é'.repeat(100),
    '語\u{1f600}',
    'a\ud83d',
  ]) {
    const [out, wanted] = [new ByteWriter(1), new ByteWriter(1)]
    out.countedText(text)
    wanted.varint(Buffer.byteLength(text))
    wanted.text(text)
    expect(out.view()).toEqual(wanted.view())
  }
})

test('a varint takes 7 bits a byte, the lowest first', () => {
  const out = new ByteWriter(1)
  for (const value of [0, 127, 128, 300]) out.varint(value)
  expect([...out.view()]).toEqual([0, 127, 128, 1, 172, 2])
})

test('numbers are written as JavaScript writes them', () => {
  const decimals = [0, 7, 10, 99, 100, 4_294_967_295]
  const thousandths = [0, 1, 10, 100, 250, 999, 1000, 12_480, 180_000, 59_999]
  const out = new ByteWriter(1)
  for (const value of decimals) {
    out.decimal(value)
    out.byte(32)
  }
  for (const count of thousandths) {
    out.thousandths(count)
    out.byte(32)
  }
  expect(out.byteText()).toBe(`${[...decimals, ...thousandths.map((count) => count / 1000)].join(' ')} `)
})

test('what is written after clearing stands in the place of what was there', () => {
  const out = new ByteWriter(1)
  out.text('before')
  out.clear()
  out.text('é')
  expect(out.byteText()).toBe('Ã©')
})

test('a text is written as JSON.stringify writes it', () => {
  const units = fc.constantFrom(...'ab "\\/\n\u0000\u001f~\u007f\u2028é猫😀', '\ud800')
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: units }), fc.string({ unit: 'binary' })), (text) => {
      const out = new ByteWriter(1)
      out.json(text)
      out.byte(33)
      expect(out.view().toString()).toBe(`${JSON.stringify(text)}!`)
    }),
  )
})
