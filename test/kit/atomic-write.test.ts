import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atomicWrite } from '#kit/atomic-write.ts'
import { tempFolder } from '../harness/temp-folder.ts'

test.each([true, false])('writes a file and its missing folders (sync: %s)', async (sync) => {
  const folder = tempFolder()
  await atomicWrite(join(folder, 'a/b/c.txt'), 'new', { sync })
  expect(readFileSync(join(folder, 'a/b/c.txt'), 'utf8')).toBe('new')
})

test('replaces an existing file, and leaves no other file beside it', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'c.txt'), 'old and longer')
  await atomicWrite(join(folder, 'c.txt'), Buffer.from('new'), { sync: false })
  expect(readFileSync(join(folder, 'c.txt'), 'utf8')).toBe('new')
  expect(readdirSync(folder)).toEqual(['c.txt'])
})

test('writes pieces in order, both texts and bytes', async () => {
  const path = join(tempFolder(), 'c.bin')
  const pieces = [0, 1, 65_537, 3].map((size, i) => (i % 2 === 0 ? Buffer.alloc(size, i) : 'é'.repeat(size)))
  await atomicWrite(path, pieces, { sync: false })
  expect(readFileSync(path).equals(Buffer.concat(pieces.map((piece) => Buffer.from(piece))))).toBe(true)
  await atomicWrite(path, [], { sync: false })
  expect(readFileSync(path)).toHaveLength(0)
})

test('changes nothing if the name is taken by something else', async () => {
  const folder = tempFolder()
  mkdirSync(join(folder, 'taken/inside'), { recursive: true })
  await expect(atomicWrite(join(folder, 'taken'), 'new', { sync: false })).rejects.toThrow('EISDIR')
  expect(readdirSync(folder)).toEqual(['taken'])
  expect(readdirSync(join(folder, 'taken'))).toEqual(['inside'])
})
