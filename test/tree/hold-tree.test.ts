import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { holdTree } from '#tree/hold-tree.ts'
import { lockName, TreeLocked } from '#tree/lock.ts'
import { pointTo } from '#tree/point-to.ts'
import { readCurrent } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { buildNights, fewNights } from '../build/few-nights.ts'
import { filesOf } from '../build/small-corpus.ts'

test('what a killed build left is cleared up before any work on the tree', async () => {
  const folder = tempFolder()
  const releases = await buildNights(folder, fewNights.slice(0, 2))
  const dist = join(folder, 'dist')
  const whole = await filesOf(dist)
  // Killed when the ledger told of the release and the pointer did not yet.
  await pointTo(dist, releases[0]!)
  await writeFile(join(dist, 'current.json.77.tmp'), '')
  const builder = spawn(process.execPath, ['-e', ''])
  await once(builder, 'exit')
  await writeFile(join(dist, lockName), String(builder.pid))
  const seen = await holdTree(dist, () => readCurrent(folderTree(dist)))
  expect(seen).toBe(releases[1])
  expect(await filesOf(dist)).toEqual(whole)
})

test('the tree is held until the work is done, and free again also where it failed', async () => {
  const folder = tempFolder()
  await holdTree(folder, async () => {
    await expect(holdTree(folder, async () => {})).rejects.toThrow(TreeLocked)
  })
  const fault = new Error('no')
  await expect(holdTree(folder, () => Promise.reject(fault))).rejects.toBe(fault)
  expect(await holdTree(folder, async () => 'free')).toBe('free')
})
