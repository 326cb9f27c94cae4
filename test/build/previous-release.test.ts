import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { BuildStopped } from '#build/build-stopped.ts'
import { clipIdOf } from '#corpus/clip-id.ts'
import { netChanges, readChanges } from '#release/changes.ts'
import { folderTree } from '#release/tree.ts'
import { resume, rollback } from '#tree/rollback.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { loseState } from '../harness/ledger.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import type { SourceClip } from '../model/source.ts'
import { buildTree, clip, clips, corpus, filesOf, readJson } from './small-corpus.ts'

let src: string
let dist: string
beforeEach(() => {
  const folder = tempFolder()
  src = join(folder, 'src')
  dist = join(folder, 'dist')
})

async function night(list: SourceClip[], more: Parameters<typeof buildTree>[2] = {}) {
  await rm(src, { recursive: true, force: true })
  await writeSourceFolder(src, corpus(list))
  return buildTree(src, dist, more)
}

const spoilings: Record<string, (folder: string) => Promise<void>> = {
  'of another format version': async (folder) => {
    const manifest = await readJson(folder, 'manifest.json')
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, version: 1 }))
  },
  'without a table': (folder) => rm(join(folder, 'words.bin')),
  'with an altered table': async (folder) => {
    const bytes = await readFile(join(folder, 'clips.bin'))
    bytes[bytes.length - 1]! ^= 1
    await writeFile(join(folder, 'clips.bin'), bytes)
  },
}

test.each(Object.entries(spoilings))(
  'a release %s is made anew from the ledger and the published files, with a warning',
  async (_, spoil) => {
    const { release } = await night(clips(6))
    const before = await filesOf(join(dist, 'data'))
    await spoil(join(dist, 'releases', release))
    const again = await night(clips(6))
    expect(again).toMatchObject({ isNew: true, clips: 6, kept: 0, changed: 0 })
    expect(again.warnings).toMatchObject([{ file: `releases/${release}` }])
    expect(await filesOf(join(dist, 'data'))).toEqual(before)
    expect(await night(clips(6))).toMatchObject({ isNew: false, warnings: [] })
  },
)

test('and --max-shrink guards what was in it', async () => {
  const { release } = await night(clips(10))
  expect(await night(clips(9))).toMatchObject({ clips: 9, changed: 1 })
  await rm(join(dist, 'releases', (await readJson(dist, 'current.json')).release, 'clips.bin'))
  await expect(night(clips(7))).rejects.toThrow(BuildStopped)
  await expect(night(clips(7))).rejects.toThrow('2 of 9 published clips are gone')
  expect(release).toBeTruthy()
})

test('after a lost ledger no name changes its bytes, on no night', async () => {
  await night(clips(4))
  const published = await filesOf(join(dist, 'data/clips'))
  loseState(dist)
  await night(clips(2))
  // The other two come back changed, on another night.
  const changed = ['v2', 'v3'].map((videoId) => clip(videoId, 'The moon.'))
  expect(await night([...clips(2), ...changed])).toMatchObject({ clips: 4 })
  expect(await filesOf(join(dist, 'data/clips'))).toMatchObject(published)
})

test('after a rollback the next build goes on from the last release, whose records come back when it is resumed', async () => {
  const first = await night(clips(4))
  const changed = [clip('v0', 'The moon.'), ...clips(4).slice(1)]
  const second = await night(changed, { replace: 'all' })
  await rollback(dist)
  expect(await readJson(dist, 'current.json')).toEqual({ release: first.release })
  expect(await night(changed)).toMatchObject({ release: second.release, isNew: false, held: first.release })
  const third = await night([...changed, clip('new')])
  expect(third).toMatchObject({ isNew: true, changed: 1, held: first.release })
  await resume(dist)
  expect(await readJson(dist, 'current.json')).toEqual({ release: third.release })
  const read = (release: string) => readChanges(folderTree(dist), release)
  expect((await netChanges(first.release, third.release, read))!.clips).toEqual({
    added: [clipIdOf({ videoId: 'new' })],
    changed: [clipIdOf({ videoId: 'v0' })],
    withdrawn: [],
  })
})
