import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatVersion } from '#release/manifest.ts'
import { openTable, writeTable } from '#release/table-file.ts'
import { TextColumnWriter } from '#release/text-column.ts'
import { joinPieces } from '../harness/join-pieces.ts'
import { listsOpenFiles, openFiles } from '../harness/open-files.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const columns = { odd: 'u8', none: 'u8', words: 'u32', texts: 'texts', facts: 'json' } as const
const facts = { en: [1, 'é'] }
const texts = ['é', '', 'x'.repeat(2_000_000), 'y']

function written(): Uint8Array<ArrayBuffer> {
  const values = {
    odd: Uint8Array.of(1, 2, 3),
    none: new Uint8Array(0),
    words: [7, 4_294_967_295],
    texts,
    facts,
  }
  return joinPieces(writeTable('clips', columns, values))
}

const open = (bytes = written(), name = 'clips', path = 'p') => openTable(name, columns, bytes, path)

test('columns read as they were written, without a copy', () => {
  const bytes = written()
  const opened = open(bytes)
  expect([...opened.odd]).toEqual([1, 2, 3])
  expect([...opened.none]).toEqual([])
  expect([...opened.words]).toEqual([7, 4_294_967_295])
  expect(opened.words.buffer).toBe(bytes.buffer)
  expect(opened.words.byteOffset % 8).toBe(0)
  expect(texts.map((_, row) => opened.texts.text(row))).toEqual(texts)
  expect(opened.texts.count).toBe(texts.length)
  expect(opened.facts).toEqual(facts)
  expect([0, 1].map((row) => opened.texts.isEmpty(row))).toEqual([false, true])
})

test.each(['memory', 'a file'])('texts added one by one in %s, some as bytes, form a column', (place) => {
  const writer = new TextColumnWriter([], place === 'a file' ? join(tempFolder(), 'texts') : undefined)
  for (const [i, text] of texts.entries()) writer.add(i % 2 === 0 ? text : Buffer.from(text))
  const column = { texts: 'texts' } as const
  const bytes = joinPieces(writeTable('clips', column, { texts: writer }))
  const opened = openTable('clips', column, bytes, 'p').texts
  expect(texts.map((_, row) => opened.text(row))).toEqual(texts)
  expect(Array.from(writer, String)).toEqual(texts)
})

test.runIf(listsOpenFiles)('closes a file of texts when reading stops early', () => {
  const path = join(tempFolder(), 'texts')
  const reader = new TextColumnWriter(texts, path)[Symbol.iterator]()
  const isOpen = () => openFiles().includes(path)
  reader.next()
  expect(isOpen()).toBe(true)
  reader.return(undefined)
  expect(isOpen()).toBe(false)
})

test('known bytes: magic, version, size of the directory, then the directory', () => {
  const bytes = Buffer.from(written())
  expect(bytes.toString('latin1', 0, 8)).toBe('cliptabl')
  expect(bytes.readUInt32LE(8)).toBe(formatVersion)
  const directory = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12)))
  expect(directory.table).toBe('clips')
  expect(directory.sections).toMatchObject({ odd: [0, 3], none: [8, 0], words: [8, 8], textsAt: [16, 20] })
  expect(bytes.length % 8).toBe(0)
})

test('refuses another version and names both', () => {
  const bytes = written()
  Buffer.from(bytes.buffer).writeUInt32LE(99, 8)
  expect(() => open(bytes, 'clips', 'releases/x/clips.bin')).toThrow(
    `cannot open "releases/x/clips.bin": it has format version 99, but this program reads version ${formatVersion}`,
  )
})

test('refuses what is not a table', () => {
  expect(() => open(new Uint8Array(0))).toThrow('cannot open "p": it is no table of a release')
  expect(() => open(new Uint8Array(100))).toThrow('it is no table of a release')
  expect(() => open(written(), 'words')).toThrow('it contains the table "clips", not "words"')
  const bytes = written()
  for (const length of [40, 100, bytes.length - 8])
    expect(() => open(bytes.slice(0, length))).toThrow('it is cut short')
  const openGone = () => openTable('clips', { gone: 'u8' }, bytes, 'p')
  expect(openGone).toThrow('cannot open "p": it has no section "gone"')
})
