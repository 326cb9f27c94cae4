import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockName, lockTree, TreeLocked } from '#nightly/lock.ts'
import { tempFolder } from '../harness/temp-folder.ts'

test('a free tree is taken, the lock names the process, and nothing is left of it', async () => {
  const folder = join(tempFolder(), 'a/b')
  const lock = await lockTree(folder)
  expect(lock.tookOver).toBe(false)
  expect(await readFile(join(folder, lockName), 'utf8')).toBe(String(process.pid))
  await lock.release()
  expect(await readdir(folder)).toEqual([])
})

test('a tree that this process holds is refused, and free again afterwards', async () => {
  const folder = tempFolder()
  const lock = await lockTree(folder)
  await expect(lockTree(folder)).rejects.toThrow(TreeLocked)
  await lock.release()
  await (await lockTree(folder)).release()
})

test('a tree that another process holds is refused with its number', async () => {
  const folder = tempFolder()
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  onTestFinished(() => void other.kill())
  await writeFile(join(folder, lockName), String(other.pid))
  await expect(lockTree(folder)).rejects.toThrow(
    `another build, process ${other.pid}, is at work in "${folder}"`,
  )
  expect(existsSync(join(folder, lockName))).toBe(true)
})

test('the lock of a process that is gone is taken over', async () => {
  const folder = tempFolder()
  const other = spawn(process.execPath, ['-e', ''])
  await once(other, 'exit')
  await writeFile(join(folder, lockName), String(other.pid))
  const lock = await lockTree(folder)
  expect(lock.tookOver).toBe(true)
  await lock.release()
})

test.each([String(process.pid), '', 'x'])(
  'a lock that holds %j is of nobody and is taken over',
  async (content) => {
    const folder = tempFolder()
    await writeFile(join(folder, lockName), content)
    const lock = await lockTree(folder)
    expect(lock.tookOver).toBe(true)
    await lock.release()
  },
)
