import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { syncFolder } from '#kit/sync-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'

/** A folder of the project, which is on a disk: temporary folders may be in memory. */
function folderOnDisk(): string {
  const folder = mkdtempSync(join(import.meta.dirname, '../../node_modules/.sync-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'in'))
  writeFileSync(join(folder, 'in', 'file'), 'text')
  return folder
}

test.each([
  ['with the command sync', process.env.PATH],
  ['file by file without it', '/nowhere'],
])('writes what is below a folder to the disk, %s', async (_, path) => {
  const { PATH } = process.env
  process.env.PATH = path
  onTestFinished(() => void (process.env.PATH = PATH))
  await expect(syncFolder(folderOnDisk())).resolves.toBeUndefined()
})

test('fails if there is no such folder', async () => {
  await expect(syncFolder(join(tempFolder(), 'missing'))).rejects.toThrow('ENOENT')
})
