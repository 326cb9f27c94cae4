import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BuildStopped } from '#nightly/build-stopped.ts'
import { readManifest } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { Refused } from '#tree/refused.ts'
import { resume, rollback } from '#tree/rollback.ts'
import { flipBit } from '../harness/flip-bit.ts'
import { loseState, readLedger } from '../harness/ledger.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { Nights } from './nights.ts'
import { clip, clips } from './small-corpus.ts'

const nights = new Nights()

test.each<[string, (folder: string) => Promise<void> | void]>([
  ['without a table', (folder) => rm(join(folder, 'words.bin'))],
  ['with an altered table', (folder) => flipBit(join(folder, 'clips.bin'))],
])('a release %s is rebuilt from the ledger and the published files, with a warning', async (_, spoil) => {
  const { release } = await nights.build(clips(6))
  const before = await nights.files('data')
  await spoil(join(nights.dist, 'releases', release))
  const again = await nights.build(clips(6))
  expect(again).toMatchObject({ isNew: true, clips: 6, kept: [], changed: 0 })
  expect(again.warnings).toMatchObject([{ file: `releases/${release}` }])
  expect(await nights.files('data')).toEqual(before)
  expect(await nights.build(clips(6))).toMatchObject({ isNew: false, warnings: [] })
})

test('--max-shrink protects the contents of a release that is rebuilt', async () => {
  await nights.build(clips(10))
  expect(await nights.build(clips(9))).toMatchObject({ clips: 9, changed: 1 })
  await rm(join(nights.dist, 'releases', await nights.release(), 'clips.bin'))
  await expect(nights.build(clips(7))).rejects.toThrow(BuildStopped)
  await expect(nights.build(clips(7))).rejects.toThrow('2 of 9 published clips are gone')
})

test('after a lost ledger, a new tree has another id and the next number, and no name changes its bytes on any night', async () => {
  await nights.build(clips(4), { reproducible: true })
  const { tree } = readLedger(nights.dist)!
  const published = await nights.files('data')
  loseState(nights.dist)
  await expect(nights.build(clips(2))).rejects.toThrow(Refused)
  const { release } = await nights.build(clips(2), { reproducible: true, newTree: true })
  expect(release).toMatch(/^000002-/)
  expect(readLedger(nights.dist)!.tree).not.toBe(tree)
  // The other two return with changes on another night.
  const changed = ['v2', 'v3'].map((videoId) => clip(videoId, 'The moon.'))
  expect(await nights.build([...clips(2), ...changed])).toMatchObject({ clips: 4 })
  expect(await nights.files('data')).toMatchObject(published)
})

test('a new tree gives no name that a lost release used', async () => {
  await nights.build(clips(1))
  const backup = tempFolder()
  await cp(nights.dist, backup, { recursive: true })
  await nights.build([clip('v0', 'The moon.')], { replace: 'all' })
  const published = await nights.files('data')
  for (const part of ['releases', 'current.json', 'index.json']) {
    await rm(join(nights.dist, part), { recursive: true })
    await cp(join(backup, part), join(nights.dist, part), { recursive: true })
  }
  loseState(nights.dist)
  await nights.build([clip('v0', 'The cat runs.')], { replace: 'all', newTree: true })
  expect(await nights.files('data')).toMatchObject(published)
})

test('after a rollback, the next build continues the last release, whose records return once it is resumed', async () => {
  const first = await nights.build(clips(4))
  const changed = [clip('v0', 'The moon.'), ...clips(4).slice(1)]
  const second = await nights.build(changed, { replace: 'all' })
  await rollback(nights.dist)
  const expected = { release: first.release, rollbackSince: expect.stringMatching(/^\d{4}-.*Z$/) }
  expect(await nights.json('current.json')).toEqual(expected)
  expect(await nights.build(changed)).toMatchObject({
    release: second.release,
    isNew: false,
    heldRelease: first.release,
  })
  const third = await nights.build([...changed, clip('new')])
  expect(third).toMatchObject({ isNew: true, changed: 1, heldRelease: first.release })
  await resume(nights.dist)
  expect(await nights.json('current.json')).toEqual({ release: third.release })
  const manifest = await readManifest(new FolderTree(nights.dist), third.release)
  expect(manifest.history.map(({ release }) => release)).toEqual([first.release, second.release])
})
