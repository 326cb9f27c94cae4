import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { englishVideoIds, smallCorpus } from '../fixtures/small-corpus.ts'
import { startService, type Service } from '../harness/service.ts'
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
function openTables(): string[] {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return links.filter((path) => path.startsWith(`${dist}/releases/`)).sort()
}

/** Waits until this many tables are open, because another thread closes files. */
const waitForTables = (count: number) => vi.waitFor(() => expect(openTables()).toHaveLength(count))

const isLinux = existsSync('/proc/self/fd')
const [first, second] = englishVideoIds as [string, string]
const clips = `/clips?ids=${first},${second}`

test('texts on disk give the same responses as texts in memory', async () => {
  const onDisk = await startOnDisk()
  const paths = [
    clips,
    `/clips/${first}`,
    '/feed?seed=a',
    '/feed?seed=a&gloss=es&context=true',
    '/feed?seed=a&known=A2&minKnownShare=0.2',
    '/words',
    '/words?q=look',
    '/words?q=gato&in=meanings&gloss=es',
    '/words/caf%C3%A9?gloss=es',
    '/words/cta',
    '/words/look/clips?known=A1',
    '/sentences?q=the%20cat',
  ]
  for (const path of paths) {
    const [expected, actual] = await Promise.all([
      inMemory.get(path, { key: await inMemory.newKey() }),
      onDisk.get(path, { key: onDisk.key }),
    ])
    // Cursors depend on the store's secret.
    const withoutCursor = (text: string) => text.replace(/"nextCursor":"[^"]+"/, '')
    expect({ path, status: actual.status }).toEqual({ path, status: expected.status })
    expect(withoutCursor(actual.text)).toBe(withoutCursor(expected.text))
  }
})

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

test.runIf(isLinux)('keeps the tables of a replaced release open until its last request ended', async () => {
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
})

test.runIf(isLinux)('closes all tables of a release that cannot be opened', async () => {
  const [release] = readdirSync(join(dist, 'releases'))
  const path = join(dist, 'releases', release!, 'spellings.bin')
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0, bytes.length - 8))
  const { errors } = await startOnDisk()
  expect(errors.join()).toContain('spellings.bin": it does not match the manifest')
  await waitForTables(0)
})
