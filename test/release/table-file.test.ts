import { expect, test } from 'vitest'
import { formatVersion } from '#release/manifest.ts'
import { codeNumber, openTable, readLanguages, writeTable } from '#release/table-file.ts'

function written(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    Buffer.concat(
      writeTable('clips', {
        odd: Uint8Array.of(1, 2, 3),
        none: new Uint8Array(0),
        words: Uint32Array.of(7, 4_294_967_295),
      }),
    ),
  )
}

test('sections come back as they were written, without a copy', () => {
  const bytes = written()
  const sections = openTable(bytes, 'clips', 'clips.bin')
  expect([...sections.u8('odd')]).toEqual([1, 2, 3])
  expect([...sections.u8('none')]).toEqual([])
  expect([...sections.u32('words')]).toEqual([7, 4_294_967_295])
  expect(sections.u32('words').buffer).toBe(bytes.buffer)
  expect(sections.u32('words').byteOffset % 8).toBe(0)
})

test('known bytes: magic, version, count, name, then the directory', () => {
  const bytes = Buffer.from(written())
  expect(bytes.toString('latin1', 0, 8)).toBe('cliptabl')
  expect([bytes.readUInt32LE(8), bytes.readUInt32LE(12)]).toEqual([formatVersion, 3])
  expect(bytes.toString('latin1', 16, 32)).toBe('clips'.padEnd(16, '\0'))
  expect(bytes.toString('latin1', 32, 48)).toBe('odd'.padEnd(16, '\0'))
  expect([48, 52, 56].map((at) => bytes.readUInt32LE(at))).toEqual([1, 16, 3])
  expect(bytes.length % 8).toBe(0)
})

test('a section in pieces is written as the same bytes in one', () => {
  const file = (odd: Uint8Array | Uint8Array[], none: Uint8Array | Uint8Array[]) =>
    Buffer.concat(writeTable('clips', { odd, none, words: Uint32Array.of(7) }))
  const [bytes, nothing] = [Buffer.from('abcdefghijk'), new Uint8Array(0)]
  const pieces = [bytes.subarray(0, 1), nothing, bytes.subarray(1, 9), bytes.subarray(9)]
  expect(file(pieces, [])).toEqual(file(bytes, nothing))
  expect(file(pieces, [nothing, nothing])).toEqual(file(bytes, nothing))
})

test('another version is refused with both', () => {
  const bytes = written()
  Buffer.from(bytes.buffer).writeUInt32LE(99, 8)
  expect(() => openTable(bytes, 'clips', 'releases/x/clips.bin')).toThrow(
    `cannot open "releases/x/clips.bin": it has format version 99, this program reads version ${formatVersion}`,
  )
})

test('what is no such table is refused', () => {
  expect(() => openTable(new Uint8Array(0), 'clips', 'p')).toThrow(
    'cannot open "p": it is no table of a release',
  )
  expect(() => openTable(new Uint8Array(100), 'clips', 'p')).toThrow('it is no table of a release')
  expect(() => openTable(written(), 'words', 'p')).toThrow('it holds "clips", wanted "words"')
  const bytes = written()
  for (const length of [40, 100, bytes.length - 8])
    expect(() => openTable(bytes.slice(0, length), 'clips', 'p')).toThrow('it is cut short')
  expect(() => openTable(bytes, 'clips', 'p').u8('gone')).toThrow('cannot open "p": it has no section "gone"')
  expect(() => openTable(bytes, 'clips', 'p').u32('odd')).toThrow('it has no section "odd"')
})

test('languages come back with their numbers, and with those of the next', () => {
  const numbers = ['en', 'zh', 'aa', 'zz'].map((code, i) => [codeNumber(code), i * 10])
  const pieces = writeTable('clips', { languages: Uint32Array.from(numbers.flat()) })
  const sections = openTable(new Uint8Array(Buffer.concat(pieces)), 'clips', 'clips.bin')
  const read = Array.from(readLanguages(sections, 2), ({ code, numbers, next }) => [
    code,
    numbers[1],
    next?.[1],
  ])
  expect(read).toEqual([
    ['en', 0, 10],
    ['zh', 10, 20],
    ['aa', 20, 30],
    ['zz', 30, undefined],
  ])
})
