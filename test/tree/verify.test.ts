import { appendFile, cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { verifyRelease, type FileFault } from '#tree/verify.ts'
import { namedFiles, openNamingTables } from '#release/named-files.ts'
import { newManifest, type Manifest } from '#release/manifest.ts'
import { releaseFiles, releasePath } from '#release/paths.ts'
import { readManifest } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { run } from '../harness/command.ts'
import { startFaultyOrigin } from '../harness/faulty-origin.ts'
import { flipBit } from '../harness/flip-bit.ts'
import { sharedFolder, tempFolder } from '../harness/temp-folder.ts'
import { buildNights } from '../nightly/few-nights.ts'
import { clip, clips } from '../nightly/small-corpus.ts'

/** A tree of a few clips. */
const folder = sharedFolder()
const dist = join(folder, 'dist')
let release: string
beforeAll(async () => void (release = (await buildNights(folder, [{ clips: clips(6) }]))[0]!))

async function verify(dist: string, release: string) {
  const faults: FileFault[] = []
  const progress: number[] = []
  const verified = await verifyRelease(new FolderTree(dist), release, {
    onFault: (fault) => faults.push(fault),
    onProgress: (done, total) => progress.push(done / total),
  })
  expect(verified.faults).toBe(faults.length)
  return { ...verified, faults, progress }
}

async function pathsOf(dist: string, release: string): Promise<string[]> {
  const named = [...namedFiles(await openNamingTables(new FolderTree(dist), release))]
  return [...releaseFiles.map((file) => releasePath(release, file)), ...named]
}

test('a whole release has no faults: every file that it names is read once', async () => {
  const folder = tempFolder()
  const dist = join(folder, 'dist')
  // Words with one page of clips and with several.
  const many = Array.from({ length: 503 }, (_, i) => clip(`m${i}`, 'A cat.'))
  const [release] = (await buildNights(folder, [{ clips: [...clips(3), ...many] }])) as [string]
  const { files, bytes, faults, progress } = await verify(dist, release)
  expect(faults).toEqual([])
  const paths = await pathsOf(dist, release)
  expect(paths.filter((path) => path.startsWith('data/words/en/1.')).length).toBeGreaterThan(1)
  expect(files).toBe(paths.length)
  const sizes = await Promise.all(paths.map(async (path) => (await readFile(join(dist, path))).length))
  expect(bytes).toBe(sizes.reduce((sum, size) => sum + size, 0))
  expect(progress).toHaveLength(Math.floor(files / 1000))
  expect(progress.every((share) => share > 0 && share < 1)).toBe(true)
})

const harms: [string, (path: string) => Promise<void> | void][] = [
  ['where it is missing', (path) => rm(path)],
  ['where it is empty', (path) => truncate(path, 0)],
  ['where a bit of it is another', (path) => flipBit(path, 0.5)],
  ['where a bit of its end is another', (path) => flipBit(path)],
  ['where it is short', async (path) => await truncate(path, (await readFile(path)).length - 1)],
  ['where it is longer', (path) => appendFile(path, '\n')],
]
test.each(harms)(
  'names a faulty file of a release, with the expected and the actual value: %s',
  async (what, harm) => {
    const paths = await pathsOf(dist, release)
    // The JSON files of a release contain the digests of the others, and have none of their own.
    const isDigested = (path: string) => !/^releases\/.*\.json$/.test(path)
    const isAltered = /bit|short|longer/.test(what)
    for (const path of isAltered ? paths.filter(isDigested) : paths) {
      const faults = await faultsOfHarmed(path, harm)
      expect(faults, path).not.toEqual([])
      for (const fault of faults) {
        expect(fault.path).toBe(path)
        expect(fault.wanted).not.toBe(fault.received)
      }
    }
    expect((await verify(dist, release)).faults).toEqual([])
  },
)

/** Returns the reported faults of a release while one of its files is damaged. */
async function faultsOfHarmed(path: string, harm: (typeof harms)[number][1]): Promise<FileFault[]> {
  const file = join(dist, path)
  const whole = await readFile(file)
  await harm(file)
  try {
    return (await verify(dist, release)).faults
  } finally {
    await writeFile(file, whole)
  }
}

test('reports a missing file and one with other content, with digests and sizes', async () => {
  const spellings = releasePath(release, 'spellings.bin')
  expect(await faultsOfHarmed(spellings, (path) => truncate(path, 100))).toEqual([
    {
      path: spellings,
      wanted: expect.stringMatching(/^SHA-256 [0-9a-f]{64}$/),
      received: expect.stringMatching(/^SHA-256 [0-9a-f]{64} \(100 bytes\)$/),
    },
  ])
  const record = (await pathsOf(dist, release)).find((path) => path.startsWith('data/clips/'))!
  expect(await faultsOfHarmed(record, (path) => rm(path))).toEqual([
    { path: record, wanted: expect.stringMatching(/^SHA-256 [0-9a-f]{24}…$/), received: 'no such file' },
  ])
})

test('reports only the manifest if it is missing', async () => {
  const path = releasePath(release, 'manifest.json')
  expect(await faultsOfHarmed(path, (harmed) => rm(harmed))).toEqual([
    { path, wanted: `the manifest of release ${release}`, received: 'no such file' },
  ])
})

test('fails if the system does not let it read a file', async () => {
  const folder = tempFolder()
  await cp(dist, folder, { recursive: true })
  const spellings = join(folder, releasePath(release, 'spellings.bin'))
  await rm(spellings)
  await mkdir(spellings)
  await expect(verify(folder, release)).rejects.toMatchObject({ reason: 'unreadable' })
})

test('refuses a changes.json that names another release', async () => {
  const path = releasePath(release, 'changes.json')
  const faults = await faultsOfHarmed(path, (harmed) => writeFile(harmed, '{"to": "another"}'))
  expect(faults).toMatchObject([{ path }])
  expect(faults[0]!.wanted).toMatch(/^SHA-256 [0-9a-f]{64}$/)
})

test('names a manifest that was changed', async () => {
  const path = releasePath(release, 'manifest.json')
  const change = async (file: string) => {
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(/"content": "./, '"content": "x'))
  }
  expect((await faultsOfHarmed(path, change)).map((fault) => fault.path)).toContain(path)
})

test('names a manifest whose content does not match its id, and that of another release', async () => {
  const path = releasePath(release, 'manifest.json')
  const { format: _, version: __, digest: ___, ...fields } = await readManifest(new FolderTree(dist), release)
  const faultsWith = (changes: Partial<Manifest>) => {
    const text = JSON.stringify(newManifest({ ...fields, ...changes }))
    return faultsOfHarmed(path, (file) => writeFile(file, text))
  }
  const content = 'f'.repeat(64)
  expect(await faultsWith({ content })).toEqual([
    { path, wanted: 'the content that the id names', received: `SHA-256 ${content}` },
  ])
  const another = release.replace('000001', '000002')
  const [wanted, received] = [release, another].map((id) => `the manifest of release ${id}`)
  expect(await faultsWith({ release: another })).toEqual([{ path, wanted, received }])
})

test('verifies a tree at an origin like one in a folder, past every cache', async () => {
  const origin = await startFaultyOrigin(dist)
  onTestFinished(() => origin.close())
  const verifyThere = (...more: string[]) =>
    run(folder, ['verify', '--data', origin.address, '--json', ...more])
  const sound = await verifyThere()
  const here = await verify(dist, release)
  expect(sound.code, sound.stderr).toBe(0)
  expect(JSON.parse(sound.stdout)).toEqual({ release, files: here.files, bytes: here.bytes, faults: [] })
  const [record] = (await pathsOf(dist, release)).filter((path) => path.startsWith('data/clips/'))
  const [list] = (await pathsOf(dist, release)).filter((path) => path.startsWith('data/words/'))
  origin.instead.set(`/${record}`, Buffer.from('{}'))
  origin.instead.set(`/${list}`, Buffer.alloc(20 * 1024 * 1024))
  const damaged = await verifyThere('--release', release)
  expect(damaged.code).toBe(1)
  const { faults } = JSON.parse(damaged.stdout) as { faults: FileFault[] }
  expect(new Set(faults.map(({ path }) => path))).toEqual(new Set([record, list]))
  expect(faults.find(({ path }) => path === list)!.received).toContain('it is larger than')
  const unsafe = await run(folder, ['verify', '--data', 'http://203.0.113.1/'])
  expect([unsafe.code, unsafe.stderr]).toEqual([2, expect.stringContaining('must begin with https://')])
})
