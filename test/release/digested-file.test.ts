import { createHash } from 'node:crypto'
import { closeSync, openSync, ftruncateSync, truncateSync, writeSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '#kit/seeded-random.ts'
import { openDigestedFile } from '#release/digested-file.ts'
import { formatVersion } from '#release/manifest.ts'
import { openTable, rangesOf, writeTable } from '#release/table-file.ts'
import { noRanges, readFault, TreeFault } from '#release/tree.ts'
import { longTest } from '../harness/fault-rounds.ts'
import { joinPieces } from '../harness/join-pieces.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const columns = { before: 'u32', texts: 'texts', between: 'u8', more: 'texts', after: 'u32' } as const

/** Returns texts of up to 3,000 characters, some of them empty. */
function someTexts(seed: number): string[] {
  const random = seededRandom(seed)
  return Array.from({ length: 500 }, (_, i) => {
    const length = random() < 0.1 ? 0 : Math.floor(10 ** (3.5 * random()))
    return `${i}é`.repeat(length).slice(0, length)
  })
}

const values = {
  before: [1, 2, 3],
  texts: someTexts(1),
  between: Uint8Array.of(7),
  more: someTexts(2),
  after: [4, 5],
}

async function writeFileOfTable(): Promise<string> {
  const path = join(tempFolder(), 'clips.bin')
  await writeFile(path, joinPieces(writeTable('clips', columns, values)))
  return path
}

async function openFile(path: string, inMemoryMax: number, textColumns = ['texts', 'more']) {
  const file = await openDigestedFile(
    path,
    rangesOf(textColumns),
    (cause) => readFault('releases/x/clips.bin', cause),
    inMemoryMax,
  )
  onTestFinished(() => file[Symbol.dispose]())
  return { file, table: openTable('clips', columns, file, path) }
}

test('a table with its texts on disk reads like one in memory, and has the same digest', async () => {
  const path = await writeFileOfTable()
  const [memory, disk] = [await openFile(path, Infinity), await openFile(path, 0)]
  const bytes = await readFile(path)
  expect(disk.file.digest).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect(memory.file.start.equals(bytes)).toBe(true)
  expect(disk.file.start.length).toBeLessThan(bytes.length / 10)
  expect([...disk.table.before, ...disk.table.between, ...disk.table.after]).toEqual([1, 2, 3, 7, 4, 5])
  for (const name of ['texts', 'more'] as const) {
    const [expected, actual] = [memory.table[name], disk.table[name]]
    expect(actual.count).toBe(values[name].length)
    for (const [row, text] of values[name].entries()) {
      expect(actual.text(row)).toBe(text)
      expect(actual.isEmpty(row)).toBe(text === '')
      expect(actual.byteText(row, Math.min(row + 3, 500))).toBe(
        expected.byteText(row, Math.min(row + 3, 500)),
      )
      expect(actual.compare(row, Buffer.from(text))).toBe(0)
      expect(actual.compare(row, Buffer.from('5'), 1)).toBe(expected.compare(row, Buffer.from('5'), 1))
      const at = actual.load(row)
      expect(actual.buffer.toString('utf8', at, at + actual.sizeOf(row))).toBe(text)
    }
  }
})

test('a column that is not too large is kept in memory', async () => {
  const path = await writeFileOfTable()
  const { file, table } = await openFile(path, 10_000_000)
  expect(file.start.length).toBe(file.sizeBytes)
  await writeFile(path, '')
  expect(table.texts.text(7)).toBe(values.texts[7])
})

test('reading fails where a file was damaged on disk, and works elsewhere', async () => {
  const path = await writeFileOfTable()
  const { table } = await openFile(path, 0)
  const bytes = await readFile(path)
  const row = values.texts.findIndex((text) => text.length > 2_500)
  const at = bytes.indexOf(values.texts[row]!)
  const fd = openSync(path, 'r+')
  writeSync(fd, 'x', at + 2_000)
  expect(() => table.texts.text(row)).toThrow(TreeFault)
  const reason = 'cannot read "releases/x/clips.bin": it does not match the release'
  expect(() => table.texts.text(row)).toThrow(reason)
  const readings = values.texts.map((_, i) => {
    try {
      return table.texts.text(i)
    } catch (error) {
      return error
    }
  })
  const isFault = (reading: unknown) => reading instanceof TreeFault
  expect(readings.filter((reading, i) => reading !== values.texts[i] && !isFault(reading))).toEqual([])
  expect(readings.filter(isFault).length).toBeLessThan(10)
  writeSync(fd, values.texts[row]!, at)
  closeSync(fd)
  expect(table.texts.text(row)).toBe(values.texts[row])
  truncateSync(path, at + 1_000)
  expect(() => table.texts.text(row)).toThrow(TreeFault)
})

test('does not read a closed file, not even one that was opened in its place', async () => {
  const path = await writeFileOfTable()
  const { file, table } = await openFile(path, 0)
  file[Symbol.dispose]()
  const other = await openFile(path, 0)
  expect(() => table.texts.text(1)).toThrow('cannot read from a closed file')
  expect(other.table.texts.text(1)).toBe(values.texts[1])
})

test('a file whose directory names impossible sections has a digest, but no ranges', async () => {
  const path = join(tempFolder(), 'clips.bin')
  const bytes = joinPieces(writeTable('clips', columns, values))
  const directory = Buffer.from(bytes.buffer, 16)
  for (const [from, to] of [
    ['"texts":[', '"texts":[-'],
    ['"more":[1', '"more":[9'],
    ['{', '['],
  ] as const) {
    const damaged = Buffer.from(bytes)
    damaged.write(to, 16 + directory.indexOf(from))
    await writeFile(path, damaged)
    const file = await openDigestedFile(path, rangesOf(['texts', 'more']), () => new Error(), 0)
    expect(file.digest).toBe(createHash('sha256').update(damaged).digest('hex'))
    file[Symbol.dispose]()
  }
  await writeFile(path, '')
  expect((await openDigestedFile(path, noRanges, () => new Error(), 0)).sizeBytes).toBe(0)
})

const gib = 2 ** 30

// The test reads 5 GiB.
longTest('a row beyond 4 GiB of a column is read', { timeout: 300_000 }, async () => {
  const path = join(tempFolder(), 'clips.bin')
  // Two texts of zeros, which take no space on disk, lie between others.
  const starts = [0, 5, 2.5 * gib, 5 * gib, 5 * gib + 4]
  const sections = { textsAt: [0, 20], texts: [24, 5 * gib + 4] }
  const directory = Buffer.from(JSON.stringify({ table: 'clips', sections }))
  const head = Buffer.alloc(16, 'cliptabl')
  head.writeUInt32LE(formatVersion, 8)
  head.writeUInt32LE(directory.length, 12)
  const padding = Buffer.alloc((8 - (directory.length % 8)) % 8)
  const at = Uint32Array.from(starts)
  const first = Buffer.concat([head, directory, padding, Buffer.from(at.buffer), Buffer.alloc(4)])
  const fd = openSync(path, 'w')
  writeSync(fd, first)
  writeSync(fd, 'first', first.length)
  writeSync(fd, 'last', first.length + 5 * gib)
  ftruncateSync(fd, first.length + 5 * gib + 8)
  closeSync(fd)
  using file = await openDigestedFile(path, rangesOf(['texts']), (cause) => readFault(path, cause), gib)
  const { texts } = openTable('clips', { texts: 'texts' } as const, file, path)
  expect(at[3]).toBe(gib)
  expect([0, 3].map((row) => texts.text(row))).toEqual(['first', 'last'])
  expect(texts.position(3)).toBe(5 * gib)
  expect(texts.sizeOf(1)).toBe(2.5 * gib - 5)
})
