import { statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sha256 } from '#kit/digest.ts'
import { pageDigest } from '#release/page-digest.ts'
import { DamagedFile, folderTree, MissingFile, UnreadableFile } from '#release/tree.ts'
import { tempFolder } from '../harness/temp-folder.ts'

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
    const digestOfA = pageDigest(Buffer.from('0123456789'))
    expect((await tree.readRange('a', 3, 6, digestOfA)).toString()).toBe('345')
    await expect((async () => tree.readRange('a', 8, 11, digestOfA))()).rejects.toThrow(DamagedFile)
    await expect((async () => tree.readRange('b', 0, 1, digestOfA))()).rejects.toThrow(MissingFile)
    const { bytes, digest } = await tree.readDigested('a')
    expect(Buffer.from(bytes).toString()).toBe('0123456789')
    expect(digest).toBe(sha256('0123456789').toString('hex'))
    await expect(tree.readDigested('b')).rejects.toThrow(MissingFile)
  })

  test('gives nothing of a page that is not the one named, from the start or later', async () => {
    const path = join(tempFolder(), 'a')
    const tree = folderTree(join(path, '..'))
    const digest = pageDigest(Buffer.from('0123456789'))
    const read = async () => (await tree.readRange('a', 3, 6, digest)).toString()
    const refusal = 'cannot read "a": it does not match the release'
    writeFileSync(path, '0123456788')
    await expect(read()).rejects.toThrow(refusal)
    writeFileSync(path, '0123456789')
    expect(await read()).toBe('345')
    const { ctimeMs } = statSync(path)
    // The clock of the file system may stand still for some milliseconds.
    while (statSync(path).ctimeMs === ctimeMs) writeFileSync(path, '0123556789')
    await expect(read()).rejects.toThrow(refusal)
  })

  test('that cannot be read is no missing file', async () => {
    const reading = folderTree(tempFolder()).read('.')
    await expect(reading).rejects.toThrow(UnreadableFile)
    await expect(reading).rejects.toThrow('it is a folder and not a file')
  })
})
