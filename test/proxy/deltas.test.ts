import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#kit/clock.ts'
import { build } from '#nightly/build.ts'
import { youtubeUrls } from '#nightly/render/records.ts'
import { releasePath } from '#release/paths.ts'
import { DiskCache } from '#release/origin/disk-cache.ts'
import { HttpTree } from '#release/origin/http-tree.ts'
import { OriginClient } from '#release/origin/origin-client.ts'
import { openRelease } from '#release/release.ts'
import { shortClips, writeCorpus } from '../../scripts/bench/corpus.ts'
import { startFaultyOrigin, type FaultyOrigin } from '../harness/faulty-origin.ts'
import { flipBit } from '../harness/flip-bit.ts'
import { sharedFolder, tempFolder } from '../harness/temp-folder.ts'

const clipCount = 1_000
const folder = sharedFolder()
const outFolder = join(folder, 'tree')
let origin: FaultyOrigin
let first: string
let second: string

beforeAll(async () => {
  const corpus = shortClips(join(folder, 'corpus'), clipCount)
  const options = { strict: true, replace: new Set<string>(), maxShrink: 0, urls: youtubeUrls }
  const buildNight = () => build({ ...options, corpusFolder: corpus.folder, outFolder, clock: systemClock })
  writeCorpus(corpus, 0, clipCount)
  first = (await buildNight()).release
  writeCorpus(corpus, clipCount, clipCount + 10)
  second = (await buildNight()).release
  origin = await startFaultyOrigin(outFolder)
})
afterAll(() => origin.close())

/** Returns a proxy's tree with an empty cache, and its notes. */
function emptyProxy() {
  const cacheFolder = tempFolder()
  const notes: string[] = []
  const client = new OriginClient(new URL(`${origin.address}/`), undefined)
  onTestFinished(() => client.close())
  const tree = new HttpTree(client, new DiskCache(cacheFolder), 50, { onNote: (note) => notes.push(note) })
  /** Opens a release; returns the names of its requested files. */
  const open = async (id: string) => {
    origin.asked.length = 0
    using release = await openRelease(tree, id)
    expect(release.manifest.release).toBe(id)
    const prefix = `/releases/${id}/`
    return origin.asked
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ path }) => path.slice(prefix.length))
  }
  return { cacheFolder, notes, open }
}

const clipsPath = () => releasePath(second, 'clips.bin')
const deltaPath = () => releasePath(second, 'clips.delta')

test('a proxy that has the previous release’s tables downloads the deltas', async () => {
  const { cacheFolder, notes, open } = emptyProxy()
  expect(await open(first)).toContain('clips.bin')
  const files = await open(second)
  expect(files).toContain('clips.delta')
  expect(files).not.toContain('clips.bin')
  expect(readFileSync(join(cacheFolder, clipsPath()))).toEqual(readFileSync(join(outFolder, clipsPath())))
  expect(readdirSync(join(cacheFolder, 'releases', second)).filter((name) => name.endsWith('.tmp'))).toEqual(
    [],
  )
  expect(notes).toEqual([])
  const [delta, table] = [deltaPath(), clipsPath()].map((path) => readFileSync(join(outFolder, path)).length)
  expect(delta!).toBeLessThan(table! / 10)
})

test('a proxy without them downloads whole tables', async () => {
  const { notes, open } = emptyProxy()
  const files = await open(second)
  expect(files).toContain('clips.bin')
  expect(files.filter((name) => name.endsWith('.delta'))).toEqual([])
  expect(notes).toEqual([])
})

test.each([
  ['damaged', 'it does not match the manifest'],
  ['missing', 'there is no file'],
])('downloads the whole table if a delta is %s, and logs that', async (fault, reason) => {
  const { notes, open } = emptyProxy()
  await open(first)
  const place = join(outFolder, deltaPath())
  if (fault === 'damaged') origin.instead.set(`/${deltaPath()}`, readFileSync(place).subarray(1))
  else renameSync(place, `${place}.away`)
  const files = await open(second)
  origin.instead.clear()
  if (fault === 'missing') renameSync(`${place}.away`, place)
  expect(files).toContain('clips.bin')
  expect(notes).toHaveLength(1)
  expect(notes[0]).toContain(
    `"${clipsPath()}" is downloaded in full, because it cannot be rebuilt with "${deltaPath()}": ${reason}`,
  )
})

test('downloads the whole table if the previous table is damaged in the cache', async () => {
  const { cacheFolder, notes, open } = emptyProxy()
  await open(first)
  flipBit(join(cacheFolder, releasePath(first, 'clips.bin')), 0.5)
  expect(await open(second)).toContain('clips.bin')
  expect(notes[0]).toContain('its result does not match the manifest')
  expect(readFileSync(join(cacheFolder, clipsPath()))).toEqual(readFileSync(join(outFolder, clipsPath())))
})
