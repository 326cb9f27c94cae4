import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sha256 } from '#kit/digest.ts'
import { folderTree, MissingFile } from '#release/tree.ts'
import { tempFolder } from '../harness/temp-folder.ts'

/** A folder is trusted: what is read of it is checked when the release is verified. */
const anyDigest = { high: 0, low: 0 }

describe('a folder', () => {
  test('gives the bytes of a file, and MissingFile for one it lacks', async () => {
    const folder = tempFolder()
    await writeFile(join(folder, 'a.json'), 'x')
    const tree = folderTree(folder)
    expect((await tree.read('a.json')).toString()).toBe('x')
    await expect(tree.read('b.json')).rejects.toThrow(MissingFile)
    await expect(tree.read('b.json')).rejects.toThrow(`no file "b.json" in "${folder}"`)
  })

  test('gives a range of a file, and its bytes with their SHA-256', async () => {
    const folder = tempFolder()
    await writeFile(join(folder, 'a'), '0123456789')
    const tree = folderTree(folder)
    expect((await tree.readRange('a', 3, 6, anyDigest)).toString()).toBe('345')
    await expect((async () => tree.readRange('a', 8, 11, anyDigest))()).rejects.toThrow(
      'cannot read the bytes 8 to 11',
    )
    await expect((async () => tree.readRange('b', 0, 1, anyDigest))()).rejects.toThrow(MissingFile)
    const { bytes, digest } = await tree.readDigested('a')
    expect(Buffer.from(bytes).toString()).toBe('0123456789')
    expect(digest).toBe(sha256('0123456789').toString('hex'))
    await expect(tree.readDigested('b')).rejects.toThrow(MissingFile)
  })

  test('that cannot be read is no missing file', async () => {
    await expect(folderTree(tempFolder()).read('.')).rejects.not.toBeInstanceOf(MissingFile)
  })
})
