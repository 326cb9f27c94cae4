import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { englishVideoIds, smallCorpus } from '../fixtures/small-corpus.ts'
import { startService, type Service } from '../harness/service.ts'
import { listsOpenFiles, openFiles } from '../harness/open-files.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { FolderTree, type Tree } from '#release/tree.ts'
import { startSmallService, type SmallService } from './small-service.ts'

let inMemory: SmallService
let dist: string
beforeEach(async () => {
  inMemory = await startSmallService()
  dist = join(inMemory.folder, 'dist')
})
afterEach(() => inMemory.stop())

/** Starts another service on the same tree that leaves all possible texts on disk. */
async function startOnDisk(tree: Tree = new FolderTree(dist, 0)): Promise<Service & { key: string }> {
  const service = await startService({ folder: tempFolder(), tree })
  let isStopped = false
  const stop = async () => {
    if (!isStopped) await service.stop()
    isStopped = true
  }
  onTestFinished(stop)
  return { ...service, stop, key: await service.newKey() }
}

/** Returns the tables of the tree that this process has open, by release and file. */
const openTables = () =>
  openFiles()
    .filter((path) => path.startsWith(`${dist}/releases/`))
    .sort()

/** Waits until this many tables are open, because another thread closes files. */
const waitForTables = (count: number) => vi.waitFor(() => expect(openTables()).toHaveLength(count))

const [first, second] = englishVideoIds as [string, string]
const clips = `/clips?ids=${first},${second}`

test('a table that is overwritten while in use gives 503, and never other texts', async () => {
  const { get, key, errors } = await startOnDisk()
  const [release] = readdirSync(join(dist, 'releases'))
  const path = join(dist, 'releases', release!, 'clips.bin')
  const bytes = readFileSync(path)
  const at = bytes.indexOf(`"videoId":"${first}"`)
  bytes.write('X', at + '"videoId":"'.length)
  writeFileSync(path, bytes)
  const { status, json } = await get(clips, { key })
  expect({ status, code: json.error.code }).toEqual({ status: 503, code: 'unavailable' })
  expect(errors.join()).toContain(
    `cannot read "releases/${release}/clips.bin": it does not match the release`,
  )
  expect((await get('/words/look', { key })).status).toBe(200)
  expect((await get('/usage', { key })).json.requests).toBe(1)
  // The service with the texts in memory is not affected.
  expect((await inMemory.get(clips, { key: await inMemory.newKey() })).status).toBe(200)
})

test.runIf(listsOpenFiles)(
  'keeps the tables of a replaced release open until its last request ended',
  async () => {
    const gate = Promise.withResolvers<void>()
    const tree = new FolderTree(dist, 0)
    const readChecked = tree.readChecked.bind(tree)
    const waiting = vi.fn<() => Promise<void>>(async () => await gate.promise)
    tree.readChecked = async (path, isRight) => {
      if (path.startsWith('data/transcripts/')) await waiting()
      return await readChecked(path, isRight)
    }
    const service = await startOnDisk(tree)
    const before = openTables()
    expect(before.map((path) => path.split('/').at(-1))).toEqual(['clips.bin', 'spellings.bin', 'words.bin'])
    const path = `/clips/${englishVideoIds[0]}/transcript`
    const pending = service.get(path, { key: service.key })
    await vi.waitFor(() => expect(waiting).toHaveBeenCalled())
    const source = join(inMemory.folder, 'next-source')
    await writeSourceFolder(source, { ...smallCorpus, clips: smallCorpus.clips.slice(1) })
    await inMemory.build(source, { maxShrink: 1 })
    await service.refresh()
    expect(openTables()).toEqual(expect.arrayContaining(before))
    await waitForTables(6)
    gate.resolve()
    const { status, json } = await pending
    expect(status).toBe(200)
    expect(json.cues.length).toBeGreaterThan(0)
    await waitForTables(3)
    expect(openTables().filter((table) => before.includes(table))).toEqual([])
    await service.stop()
    await waitForTables(0)
  },
)

test.runIf(listsOpenFiles)('closes all tables of a release that cannot be opened', async () => {
  const [release] = readdirSync(join(dist, 'releases'))
  const path = join(dist, 'releases', release!, 'spellings.bin')
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0, bytes.length - 8))
  const { errors } = await startOnDisk()
  expect(errors.join()).toContain('spellings.bin": it does not match the manifest')
  await waitForTables(0)
})
