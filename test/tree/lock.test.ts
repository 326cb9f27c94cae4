import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { lockName, lockTree, TreeLocked } from '#tree/lock.ts'
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
  await writeFile(join(folder, lockName), await goneProcess())
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

test('who takes over from a process that was killed while it took over is one more in a row, and leaves nothing of it', async () => {
  const folder = tempFolder()
  const gone = await goneProcess()
  for (const name of [lockName, `${lockName}.next.1`, `${lockName}.next.2`])
    await writeFile(join(folder, name), gone)
  const lock = await lockTree(folder)
  expect(lock.tookOver).toBe(true)
  expect(await readdir(folder)).toEqual([lockName])
  await lock.release()
  expect(await readdir(folder)).toEqual([])
})

test('what a process left that was killed before it had the lock is cleared up with the next', async () => {
  const folder = tempFolder()
  await writeFile(join(folder, `${lockName}.${await goneProcess()}`), '')
  await (await lockTree(folder)).release()
  expect(await readdir(folder)).toEqual([])
})

test('a tree that another process is about to take over is refused with its number', async () => {
  const folder = tempFolder()
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  onTestFinished(() => void other.kill())
  await writeFile(join(folder, lockName), await goneProcess())
  await writeFile(join(folder, `${lockName}.next.1`), String(other.pid))
  await expect(lockTree(folder)).rejects.toThrow(`another build, process ${other.pid}, is at work`)
})

test('of many processes that find the lock of one that is gone, just one takes it over, every time', async () => {
  const [folder, processes, rounds] = [tempFolder(), 6, 40]
  const gone = await goneProcess()
  const trees = Array.from({ length: rounds }, (_, round) => join(folder, String(round)))
  await Promise.all(
    trees.map(async (tree, round) => {
      await mkdir(tree)
      await writeFile(join(tree, lockName), gone)
      // Also where those that took over before were killed.
      for (let depth = 1; depth <= round % 3; depth++)
        await writeFile(join(tree, `${lockName}.next.${depth}`), gone)
    }),
  )
  const contender = join(import.meta.dirname, 'lock-contender.ts')
  const run = promisify(execFile)
  await Promise.all(
    Array.from({ length: processes }, () => run(process.execPath, [contender, String(processes), ...trees])),
  )
  for (const tree of trees) {
    const names = await readdir(tree)
    expect(names.filter((name) => name.startsWith('taken-'))).toHaveLength(1)
    expect(names.filter((name) => name.startsWith('refused-'))).toHaveLength(processes - 1)
    expect(names.filter((name) => name.startsWith('.'))).toEqual([])
  }
})

/** The number of a process that is gone. */
async function goneProcess(): Promise<string> {
  const other = spawn(process.execPath, ['-e', ''])
  await once(other, 'exit')
  return String(other.pid)
}
