import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prune } from '#tree/prune.ts'
import { openRelease } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { faultsOf } from '../harness/faults-of.ts'
import { clipOf } from '../harness/opened.ts'
import { loseState, readLedger } from '../harness/ledger.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { clipIdOf } from '../model/indexed.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { buildNights } from '../nightly/few-nights.ts'
import { buildTree, clip, corpus } from '../nightly/small-corpus.ts'

test('a clip that returns after its record was pruned is published under the next name, at its old position of the feed', async () => {
  const folder = tempFolder()
  const dist = join(folder, 'dist')
  const [all, without] = [[clip('goes'), clip('stays')], [clip('stays')]]
  await buildNights(folder, [{ clips: all }, { clips: without }])
  const before = readLedger(dist)!.entries.get(clipIdOf(clip('goes')))!
  await prune({ outFolder: dist, keep: 1, dryRun: false, onPlan() {} })
  const [release] = await buildNights(folder, [{ clips: all }])
  const row = clipOf(await openRelease(new FolderTree(dist), release!), before.clipId)!
  expect(row.ordinal).toBe(before.ordinal)
  expect(row.record.path).toBe(`data/clips/${before.clipId}.2.json`)
  expect(readLedger(dist)!.entries.get(before.clipId)!.pruned).toBe(false)
  expect(await faultsOf(dist, release)).toEqual([])
})

test('a clip that returns to a new tree after its record was pruned is published under a name that was never used', async () => {
  const folder = tempFolder()
  const dist = join(folder, 'dist')
  await buildNights(folder, [{ clips: [clip('goes'), clip('stays')] }, { clips: [clip('stays')] }])
  await prune({ outFolder: dist, keep: 1, dryRun: false, onPlan() {} })
  loseState(dist)
  await buildTree(join(folder, 'night-1'), dist, { newTree: true })
  await writeSourceFolder(join(folder, 'last'), corpus([clip('goes', 'The moon.'), clip('stays')]))
  const { release } = await buildTree(join(folder, 'last'), dist)
  const clipId = clipIdOf(clip('goes'))
  const row = clipOf(await openRelease(new FolderTree(dist), release), clipId)!
  expect(row.record.path).toBe(`data/clips/${clipId}.4.json`)
})
