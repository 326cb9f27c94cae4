import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { cp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { holdTree } from '#tree/hold-tree.ts'
import { importLedger, ledgerRecords } from '#tree/ledger-lines.ts'
import { pointTo } from '#tree/pointer.ts'
import { readReleaseFolders, readReleaseIds } from '#release/release-ids.ts'
import { readCurrent } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { Refused, TreeLocked } from '#tree/refused.ts'
import { rollback } from '#tree/rollback.ts'
import { State } from '#tree/state.ts'
import { dieAtStep } from '../harness/die-at-step.ts'
import { faultsOf } from '../harness/faults-of.ts'
import { ledgerEntry, loseState, readLedger, withState } from '../harness/ledger.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { buildNights, fewNights, treeOfFewNights } from '../nightly/few-nights.ts'
import { buildTree, clip, filesOf, writeFiles } from '../nightly/small-corpus.ts'

test('the remains of a killed build are removed before any work on the tree', async () => {
  const folder = tempFolder()
  const releases = await buildNights(folder, fewNights.slice(0, 2))
  const dist = join(folder, 'dist')
  const whole = await filesOf(dist)
  // Killed when the ledger contained the release, but the pointer did not.
  await pointTo(dist, releases[0]!)
  await writeFile(join(dist, 'current.json.77.tmp'), '')
  // Killed while the release still had its mark, and before the ledger contained a release.
  await writeFiles(dist, {
    [`releases/${releases[1]}/unfinished`]: '',
    'releases/000003-00000000/manifest.json': '{}',
    'releases/000003-00000000/unfinished': '',
  })
  const seen = await holdTree(dist, () => readCurrent(new FolderTree(dist)))
  expect(seen).toBe(releases[1])
  expect(await filesOf(dist)).toEqual(whole)
})

test('a release that a failed build did not enter in the ledger is removed, and built again', async () => {
  const { folder, dist, releases } = await treeOfFewNights()
  const refuse = `CREATE TRIGGER full BEFORE UPDATE ON head WHEN NEW.json LIKE '%"releases":6%'
    BEGIN SELECT RAISE(ABORT, 'disk full'); END`
  withState(dist, ({ db }) => db.exec(refuse))
  const build = () => buildTree(join(folder, 'night-0'), dist, { replace: 'all', maxShrink: 1 })
  await expect(build()).rejects.toThrow('disk full')
  expect(await readReleaseFolders(dist)).toHaveLength(6)
  withState(dist, ({ db }) => db.exec('DROP TRIGGER full'))
  expect(await holdTree(dist, () => readReleaseFolders(dist))).toEqual(releases)
  expect((await build()).release).toMatch(/^000006-/)
  expect(await faultsOf(dist)).toEqual([])
})

test('holds the tree until the work is done, and releases it even if it failed', async () => {
  const folder = tempFolder()
  await holdTree(folder, async () => {
    await expect(holdTree(folder, async () => {})).rejects.toThrow(TreeLocked)
  })
  const fault = new Error('no')
  await expect(holdTree(folder, () => Promise.reject(fault))).rejects.toBe(fault)
  expect(await holdTree(folder, async () => 'free')).toBe('free')
})

test('a process that is killed while it holds the tree releases it, and uncommitted work is discarded', async () => {
  const folder = tempFolder()
  await buildNights(folder, [{ clips: [clip('a')] }])
  const dist = join(folder, 'dist')
  const before = readLedger(dist)
  const holder = spawn(process.execPath, [join(import.meta.dirname, 'hold-and-change.ts'), dist], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  await expect(holdTree(dist, async () => {})).rejects.toThrow(
    `another build, prune or rollback is running in "${dist}"`,
  )
  const exited = once(holder, 'exit')
  holder.kill('SIGKILL')
  await exited
  expect(await holdTree(dist, async ({ head }) => head.tree)).toBe(before!.tree)
  expect(readLedger(dist)).toEqual(before)
})

test('of processes that want the tree at once, each has it alone', async () => {
  const folder = tempFolder()
  withState(folder, ({ db }) =>
    db.exec('CREATE TABLE counted (turns INTEGER); INSERT INTO counted VALUES (0)'),
  )
  const run = promisify(execFile)
  const script = join(import.meta.dirname, 'count-turns.ts')
  const turns = 20
  await Promise.all(Array.from({ length: 3 }, () => run(process.execPath, [script, folder, String(turns)])))
  const counted = withState(folder, ({ db }) => db.prepare('SELECT turns FROM counted').get())
  expect(counted).toEqual({ turns: 3 * turns })
})

test('refuses a ledger that is older than the tree, whether it is put back or imported, and changes nothing', async () => {
  const folder = tempFolder()
  const releases = await buildNights(folder, fewNights.slice(0, 1))
  const dist = join(folder, 'dist')
  await cp(join(dist, '.build'), join(folder, 'backup'), { recursive: true })
  const exported = await holdTree(dist, async (state) =>
    [...ledgerRecords(state)].map((record) => JSON.stringify(record)),
  )
  const all = await buildNights(folder, fewNights.slice(0, 3))
  const before = await filesOf(dist)
  const message = `the ledger of "${dist}" ends with release ${releases[0]}, but the tree has release ${all.at(-1)}`
  const replacing = holdTree(dist, (state) => importLedger(dist, state, exported), 'replace')
  await expect(replacing).rejects.toThrow(message)
  expect(await filesOf(dist)).toEqual(before)
  loseState(dist)
  await cp(join(folder, 'backup'), join(dist, '.build'), { recursive: true })
  const building = buildTree(join(folder, 'night-1'), dist, { replace: 'all', maxShrink: 1 })
  await expect(building).rejects.toThrow(message)
  await rm(join(dist, 'current.json'))
  await expect(rollback(dist, '1')).rejects.toThrow()
  await expect(buildTree(join(folder, 'night-1'), dist, { maxShrink: 1 })).rejects.toThrow(message)
  const { 'current.json': _, ...others } = before
  expect(await filesOf(dist)).toMatchObject(others)
})

test('refuses a ledger that lacks a release that was rolled back, even if builds were killed before and after', async () => {
  const folder = tempFolder()
  const dist = join(folder, 'dist')
  const killBuild = async () => {
    const source = ['--corpus', join(folder, 'night-0'), '--out', dist, '--max-shrink', '100%']
    expect(await dieAtStep(['build', '--no-site', ...source], 8)).toMatchObject({ signal: 'SIGKILL' })
    expect(existsSync(join(dist, '.build/work'))).toBe(true)
  }
  const [release] = await buildNights(folder, fewNights.slice(0, 1))
  await killBuild()
  await cp(join(dist, '.build'), join(folder, 'backup'), { recursive: true })
  const all = await buildNights(folder, fewNights.slice(0, 2))
  await rollback(dist)
  await killBuild()
  await rm(join(dist, '.build'), { recursive: true })
  await cp(join(folder, 'backup'), join(dist, '.build'), { recursive: true })
  const building = buildTree(join(folder, 'night-1'), dist, { replace: 'all', maxShrink: 1 })
  await expect(building).rejects.toThrow(`ends with release ${release}, but the tree has release ${all[1]}`)
})

test('refuses an old ledger even if the later releases are lost, and any ledger without its release and the pointer', async () => {
  const { dist, releases } = await treeOfFewNights()
  await rollback(dist, '3')
  withState(dist, ({ head }) => void Object.assign(head, { releases: 2, release: releases[1] }))
  const holding = () => holdTree(dist, async () => {})
  await expect(holding()).rejects.toThrow(`but the tree has release ${releases[4]}`)
  await rm(join(dist, 'releases'), { recursive: true })
  await expect(holding()).rejects.toThrow(`but the tree has release ${releases[2]}`)
  await rm(join(dist, 'current.json'))
  await expect(holding()).rejects.toThrow(`"${dist}" has lost current.json and release ${releases[1]}`)
  await expect(holding()).rejects.toThrow(
    `move "${join(dist, '.build/state.sqlite')}" away and begin a new tree in its place with "build --new-tree"`,
  )
})

test('with the last ledger, a lost pointer is restored, and lost releases are not needed', async () => {
  const { dist, releases } = await treeOfFewNights()
  const readHeld = () => holdTree(dist, () => readCurrent(new FolderTree(dist)))
  const { ino } = await stat(join(dist, 'current.json'))
  expect(await readHeld()).toBe(releases[4])
  // Its time says when the last build ended, so nothing else may write it again.
  expect((await stat(join(dist, 'current.json'))).ino).toBe(ino)
  await rm(join(dist, 'current.json'))
  expect(await readHeld()).toBe(releases[4])
  await rm(join(dist, 'releases'), { recursive: true })
  expect(await readHeld()).toBe(releases[4])
})

test('a new tree keeps the releases of a lost ledger, even if the one in service is marked as unfinished', async () => {
  const { dist, releases } = await treeOfFewNights()
  loseState(dist)
  await writeFiles(dist, {
    [`releases/${releases[4]}/unfinished`]: '',
    'releases/000006-00000000/unfinished': '',
    // Killed while the remains of an earlier build were removed.
    '.build/work/unfinished/manifest.json': '{}',
  })
  await holdTree(dist, async () => {}, 'begin again')
  expect(await readReleaseFolders(dist)).toEqual(releases)
  expect(await readReleaseIds(dist)).toEqual(releases)
})

test.each([
  ['max_page_count = 1', 'no space is left on the device'],
  ['query_only = ON', 'it is read-only'],
])('refuses a state that cannot be written, with the reason: PRAGMA %s', async (pragma, reason) => {
  const folder = tempFolder()
  const writing = holdTree(folder, async (state) => {
    state.db.exec(`PRAGMA ${pragma}`)
    state.enter({ ...ledgerEntry, source: 'long'.repeat(10_000) })
  })
  await expect(writing).rejects.toThrow(
    new Refused(`cannot write "${join(folder, '.build/state.sqlite')}": ${reason}`),
  )
})

const pageSize = 4096

test.each<[string, (path: string) => void]>([
  ['of its beginning', (path) => writeAt(path, 0, Buffer.from('nonsense'.repeat(100)))],
  ['after its beginning', (path) => writeAt(path, pageSize, Buffer.from('nonsense'.repeat(1_000)))],
  ['that contain an index', emptyIndex],
])('refuses a ledger whose bytes %s are damaged, and says how to recover', async (_, damage) => {
  const { folder, dist } = await treeOfFewNights()
  damage(join(dist, '.build/state.sqlite'))
  const building = buildTree(join(folder, 'night-0'), dist, { replace: 'all', maxShrink: 1 })
  await expect(building).rejects.toThrow(
    /^the ledger of ".*" is damaged: ".*": .*\. Move that file away, .*build --new-tree/,
  )
})

/** Replaces the page of an index by an empty one. */
function emptyIndex(path: string): void {
  const db = new DatabaseSync(path)
  const sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'clipsBySource'"
  const { rootpage } = db.prepare(sql).get() as { rootpage: number }
  db.close()
  const leaf = 0x0a
  writeAt(path, (rootpage - 1) * pageSize, Buffer.from([leaf, 0, 0, 0, 0, pageSize >> 8, 0, 0]))
}

function writeAt(path: string, position: number, bytes: Buffer): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, position)
  closeSync(file)
}

test('an error of the system has a path', async () => {
  const folder = tempFolder()
  const writing = holdTree(folder, () => writeFile('/dev/full', 'text'))
  await expect(writing).rejects.toMatchObject({ code: 'ENOSPC', path: folder })
})

test('does nothing if the ledger is lost or damaged, and says how to recover', async () => {
  const folder = tempFolder()
  await buildNights(folder, fewNights.slice(0, 2))
  const dist = join(folder, 'dist')
  const before = await filesOf(dist)
  const wayBack = /releases import-ledger.*build --new-tree/
  const spoilings = [
    async () => loseState(dist),
    () => writeFiles(dist, { '.build/state.sqlite': '' }),
    () => writeFiles(dist, { '.build/state.sqlite': 'nonsense'.repeat(200) }),
  ]
  for (const spoil of spoilings) {
    await spoil()
    for (const work of [() => buildTree(join(folder, 'night-0'), dist), () => rollback(dist, '1')]) {
      const refused = work()
      await expect(refused).rejects.toThrow(Refused)
      await expect(refused).rejects.toThrow(wayBack)
    }
    expect(await filesOf(dist)).toEqual(before)
  }
})

test.each(['current.json', 'releases', 'data'])(
  'a tree of which only %s is left has lost its ledger',
  async (left) => {
    const { dist } = await treeOfFewNights()
    for (const name of await readdir(dist)) if (name !== left) await rm(join(dist, name), { recursive: true })
    await expect(holdTree(dist, async () => {})).rejects.toThrow(`the ledger of "${dist}" is lost`)
  },
)

test.each([
  [99, 'It was written by a later'],
  [0, 'It is from before 1.0.0'],
])('refuses a state of version %i', (version, advice) => {
  const folder = tempFolder()
  withState(folder, ({ db }) => db.exec(`PRAGMA user_version = ${version}`))
  expect(() => State.open(folder)).toThrow(
    `"${join(folder, '.build/state.sqlite')}" has format version ${version}, but this program reads version 3. ${advice}`,
  )
})
