import { rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { sha256 } from '#kit/digest.ts'
import { damagedFile, FolderTree, MissingFile } from '#release/tree.ts'
import { tempFolder } from '../harness/temp-folder.ts'

describe('a folder', () => {
  test('returns the bytes of a file, and throws MissingFile if it lacks one', async () => {
    const folder = tempFolder()
    await writeFile(join(folder, 'a.json'), 'x')
    const tree = new FolderTree(folder)
    expect((await tree.read('a.json')).toString()).toBe('x')
    await expect(tree.read('b.json')).rejects.toThrow(MissingFile)
    await expect(tree.read('b.json')).rejects.toThrow(`no file "b.json" in "${folder}"`)
  })

  test('knows when its pointer was written, unless it has none or cannot be read', async () => {
    const folder = tempFolder()
    const tree = new FolderTree(folder)
    expect(tree.pointerModifiedAtMs).toBeNull()
    await symlink('current.json', join(folder, 'current.json'))
    expect(tree.pointerModifiedAtMs).toBeNull()
    await rm(join(folder, 'current.json'))
    await writeFile(join(folder, 'current.json'), '{}')
    expect(tree.pointerModifiedAtMs).toBeGreaterThan(0)
  })

  test('returns checked bytes, and the bytes of a file with their SHA-256', async () => {
    const folder = tempFolder()
    await writeFile(join(folder, 'a'), '0123456789')
    const tree = new FolderTree(folder)
    expect((await tree.readChecked('a', ({ length }) => length === 10)).toString()).toBe('0123456789')
    await expect(tree.readChecked('a', () => false)).rejects.toMatchObject({ reason: 'wrong' })
    await expect(tree.readChecked('b', () => true)).rejects.toThrow(MissingFile)
    expect(tree.readTemporarily!('a', ({ length }) => length === 10).toString()).toBe('0123456789')
    expect(() => tree.readTemporarily!('b', () => true)).toThrow(MissingFile)
    await writeFile(join(folder, 'large'), 'x'.repeat(600_000))
    expect(tree.readTemporarily!('large', () => true).toString()).toBe('x'.repeat(600_000))
    const { start, digest } = await tree.openDigested('a')
    expect(start.toString()).toBe('0123456789')
    expect(digest).toBe(sha256('0123456789').toString('hex'))
    await expect(tree.openDigested('b')).rejects.toThrow(MissingFile)
  })

  test('checks a file of temporary memory when it is first read, and after it has changed', async () => {
    const folder = tempFolder()
    const tree = new FolderTree(folder)
    const write = async (text: string) => {
      await writeFile(join(folder, 'a'), text)
      // The file system may count in steps of four milliseconds.
      await setTimeout(20)
    }
    await write('right')
    expect(() => tree.readTemporarily!('a', () => false)).toThrow(damagedFile('a'))
    const isRight = vi.fn<(bytes: Uint8Array) => boolean>((bytes) => bytes[0] === 'r'.charCodeAt(0))
    for (let i = 0; i < 3; i++) expect(tree.readTemporarily!('a', isRight).toString()).toBe('right')
    expect(isRight).toHaveBeenCalledTimes(1)
    await write('wrong')
    for (let i = 0; i < 2; i++) expect(() => tree.readTemporarily!('a', isRight)).toThrow(damagedFile('a'))
    await write('right')
    expect(tree.readTemporarily!('a', isRight).toString()).toBe('right')
    expect(isRight).toHaveBeenCalledTimes(4)
  })

  test.each([0, 4 * 1024 * 1024, 9 * 1024 * 1024 + 7])('returns %i bytes with a SHA-256', async (size) => {
    const folder = tempFolder()
    const written = Buffer.alloc(size, '0123456789')
    await writeFile(join(folder, 'a'), written)
    const { start, digest } = await new FolderTree(folder).openDigested('a')
    expect(written.equals(start)).toBe(true)
    expect(digest).toBe(sha256(written).toString('hex'))
  })

  test('that cannot be read does not count as a missing file', async () => {
    const reading = new FolderTree(tempFolder()).read('.')
    await expect(reading).rejects.toMatchObject({ reason: 'unreadable' })
    await expect(reading).rejects.toThrow('it is a folder and not a file')
  })
})
