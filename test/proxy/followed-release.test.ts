import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FollowedRelease } from '#proxy/followed.ts'
import { FolderTree, type Tree } from '#release/tree.ts'
import { resume, rollback } from '#tree/rollback.ts'
import { formatVersion } from '#release/manifest.ts'
import { smallCorpus } from '../fixtures/small-corpus.ts'
import { buildTree } from '../nightly/small-corpus.ts'
import { flipBit } from '../harness/flip-bit.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { sharedFolder, tempFolder } from '../harness/temp-folder.ts'

let folder: string
let tree: Tree
let infos: string[]
let errors: string[]
let live: FollowedRelease
beforeEach(() => {
  folder = tempFolder()
  tree = new FolderTree(folder)
  infos = []
  errors = []
  live = new FollowedRelease(tree, { info: (line) => infos.push(line), error: (line) => errors.push(line) })
})
afterEach(() => live.stop())

let template: Promise<string[]> | undefined
const templateFolder = sharedFolder()

/** Copies a tree of two releases, which is built once, into the folder; the first is in service. */
async function publishTwo(): Promise<[first: string, second: string]> {
  template ??= (async () => [await publish(3, templateFolder), await publish(5, templateFolder)])()
  const [first, second] = (await template) as [string, string]
  await cp(templateFolder, folder, { recursive: true })
  pointTo(first)
  await live.refresh()
  return [first, second]
}

function pointTo(release: string): void {
  writeFileSync(join(folder, 'current.json'), JSON.stringify({ release }))
}

/** Publishes the small corpus with this many of its clips. */
async function publish(clipCount: number, outFolder = folder): Promise<string> {
  const corpusFolder = `${outFolder}/source-${clipCount}`
  await writeSourceFolder(corpusFolder, { ...smallCorpus, clips: smallCorpus.clips.slice(0, clipCount) })
  return (await buildTree(corpusFolder, outFolder, { maxShrink: 1 })).release
}

test('a rollback in force is known and logged until it ends', async () => {
  const [first] = await publishTwo()
  await publish(5)
  await live.refresh()
  expect(live.rollbackSince).toBeNull()
  await rollback(folder, first, { now: () => Date.UTC(2026, 10, 27, 2) })
  await live.refresh()
  expect(live.rollbackSince).toBe('2026-11-27T02:00:00.000Z')
  expect(infos.at(-1)).toBe(
    `release ${first} (held since 2026-11-27T02:00:00.000Z by a rollback, until "releases resume") is in service`,
  )
  // A process that holds the tree later does not change this.
  await publish(4)
  await live.refresh()
  expect(live.rollbackSince).toBe('2026-11-27T02:00:00.000Z')
  await resume(folder)
  await live.refresh()
  expect(live.rollbackSince).toBeNull()
})

describe('while nothing is published', () => {
  test('there is no release: the log says so once and names the tree', async () => {
    for (let i = 0; i < 3; i++) await live.refresh()
    expect(live.current).toBeNull()
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain(folder)
    expect(errors[0]).toContain('no release is in service')
  })

  test('the first release is loaded once it is published', async () => {
    await live.refresh()
    const release = await publish(3)
    await live.refresh()
    expect(live.current?.manifest.release).toBe(release)
    expect(infos).toEqual([`release ${release} is in service`])
  })
})

test('a new release, which may be an older one, replaces the old one, which a request in progress still uses', async () => {
  const [first, second] = await publishTwo()
  const inUse = live.current!
  await live.refresh()
  expect(live.current).toBe(inUse)
  pointTo(second)
  await live.refresh()
  expect(live.current?.manifest.release).toBe(second)
  expect([inUse, live.current!].map(({ clips }) => clips.find('watchmaker') >= 0)).toEqual([false, true])
  pointTo(first)
  await live.refresh()
  expect(live.current?.manifest.release).toBe(first)
  expect(infos).toEqual([first, second, first].map((release) => `release ${release} is in service`))
  expect(errors).toEqual([])
})

describe('a broken release is refused with a line in the log, and the old one stays:', () => {
  const spoil: Record<string, (release: string) => void> = {
    'its folder is gone': (release) => rmSync(join(folder, 'releases', release), { recursive: true }),
    'its manifest is gone': (release) => rmSync(join(folder, 'releases', release, 'manifest.json')),
    'its manifest is no JSON': (release) => cut(join('releases', release, 'manifest.json'), 20),
    'its manifest is of another version': (release) =>
      edit(join('releases', release, 'manifest.json'), (text) =>
        text.replace(/"version":\s*\d+/, '"version":99'),
      ),
    'its table of clips is cut short': (release) => cut(join('releases', release, 'clips.bin'), 300),
    'its table of clips has another byte': (release) =>
      flipBit(join(folder, 'releases', release, 'clips.bin')),
    'its table of words is gone': (release) => rmSync(join(folder, 'releases', release, 'words.bin')),
    'its corpus record is gone': (release) => {
      const { corpus } = JSON.parse(readFileSync(join(folder, 'releases', release, 'manifest.json'), 'utf8'))
      rmSync(join(folder, corpus))
    },
    'the pointer is no JSON': () => cut('current.json', 5),
    'the pointer is empty': () => writeFileSync(join(folder, 'current.json'), ''),
    'the pointer names nothing': () =>
      writeFileSync(join(folder, 'current.json'), '{"release":"000099-abcdef12"}'),
    'the pointer leads out of the tree': () =>
      writeFileSync(join(folder, 'current.json'), '{"release":"../../etc"}'),
    'the pointer is gone': () => rmSync(join(folder, 'current.json')),
  }

  test.each(Object.keys(spoil))('%s', async (how) => {
    const [first, second] = await publishTwo()
    pointTo(second)
    spoil[how]!(second)
    for (let i = 0; i < 3; i++) await live.refresh()
    expect(live.current?.manifest.release).toBe(first)
    expect(live.current?.clips.find('cat-sitter')).toBeGreaterThanOrEqual(0)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain(`release ${first} stays`)
    if (how.endsWith('version')) expect(errors[0]).toMatch(new RegExp(`99.*\\b${formatVersion}\\b`))
  })

  test('and the next valid one is loaded', async () => {
    const [, second] = await publishTwo()
    pointTo(second)
    spoil['its folder is gone']!(second)
    await live.refresh()
    const third = await publish(6)
    await live.refresh()
    expect(live.current?.manifest.release).toBe(third)
  })

  test('logs a fault again that returns after a good period', async () => {
    await publishTwo()
    for (let i = 0; i < 2; i++) {
      renameSync(join(folder, 'current.json'), join(folder, 'away.json'))
      await live.refresh()
      renameSync(join(folder, 'away.json'), join(folder, 'current.json'))
      await live.refresh()
    }
    expect(errors).toHaveLength(2)
  })

  const cut = (path: string, length: number): void => void edit(path, (text) => text.slice(0, length))

  function edit(path: string, change: (text: string) => string): void {
    const file = join(folder, path)
    const text = readFileSync(file, 'utf8')
    const changed = change(text)
    expect(changed).not.toBe(text)
    writeFileSync(file, changed)
  }
})

test('loads every new release until it is stopped', async () => {
  await live.follow(5)
  const release = await publish(3)
  await expect.poll(() => live.current?.manifest.release).toBe(release)
  live.stop()
  await publish(5)
  await sleep(50)
  expect(live.current?.manifest.release).toBe(release)
})
