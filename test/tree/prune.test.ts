import { rmSync } from 'node:fs'
import { cp, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { prune, type PruneOptions, type Pruning } from '#tree/prune.ts'
import { rollback } from '#tree/rollback.ts'
import { readReleaseFolders, readReleaseIds } from '#release/release-ids.ts'
import { TreeFault } from '#release/tree.ts'
import { dieAtStep } from '../harness/die-at-step.ts'
import { faultsOf } from '../harness/faults-of.ts'
import { shareOf } from '../harness/fault-rounds.ts'
import { loseState, readLedger, withState } from '../harness/ledger.ts'
import { clipIdOf } from '../model/indexed.ts'
import { treeOfFewNights } from '../nightly/few-nights.ts'
import { buildTree, clip, filesOf, writeFiles } from '../nightly/small-corpus.ts'

async function pruneTo(dist: string, keep: number, more: Partial<PruneOptions> = {}): Promise<Pruning> {
  let told: Pruning | undefined
  await prune({ outFolder: dist, keep, dryRun: false, onPlan: (pruning) => (told = pruning), ...more })
  return told!
}

async function sizesOf(paths: readonly string[]): Promise<Map<string, number>> {
  return new Map(await Promise.all(paths.map(async (path) => [path, (await stat(path)).size] as const)))
}

/** Checks that every release of the tree is whole. */
async function expectWhole(dist: string): Promise<void> {
  for (const release of await readReleaseIds(dist)) expect(await faultsOf(dist, release)).toEqual([])
}

const idOf = (videoId: string) => clipIdOf(clip(videoId))
const recordsOf = (videoId: string, suffix = '') =>
  ['clips', 'transcripts'].map((kind) => `data/${kind}/${idOf(videoId)}${suffix}.json`)

describe('prune deletes', () => {
  test('the releases before the retained ones, and every file that serves none of these', async () => {
    const { dist, releases } = await treeOfFewNights()
    const before = await filesOf(dist)
    const sizes = await sizesOf(Object.keys(before).map((path) => join(dist, path)))
    const { releases: gone, files, bytes, unknown } = await pruneTo(dist, 2)
    expect(gone).toEqual(releases.slice(0, 3))
    expect(unknown).toEqual([])
    expect(files).toEqual(expect.arrayContaining([...recordsOf('goes'), ...recordsOf('changes')]))
    expect(files).toEqual(expect.arrayContaining(recordsOf('changes', '.2')))
    const after = await filesOf(dist)
    const deleted = Object.keys(before).filter((path) => !(path in after))
    const isData = (path: string) => path.startsWith('data/')
    const isManifest = (path: string) => path.endsWith('/manifest.json')
    const filesOfReleases = gone.flatMap((id) => {
      const own = deleted.filter((path) => path.startsWith(`releases/${id}/`))
      return [...own.filter(isManifest), ...own.filter((path) => !isManifest(path))]
    })
    expect(files).toEqual([...filesOfReleases, ...deleted.filter(isData)])
    for (const id of gone) expect(after).toHaveProperty([`releases/${id}/changes.json`])
    expect(bytes).toBe(files.reduce((sum, path) => sum + sizes.get(join(dist, path))!, 0))
    for (const [path, text] of Object.entries(after)) expect(text).toBe(before[path])
    await expectWhole(dist)
  })

  test('nothing that the oldest retained release needs', async () => {
    const { dist, releases } = await treeOfFewNights()
    const { releases: gone, files } = await pruneTo(dist, 4)
    expect(gone).toEqual(releases.slice(0, 1))
    // Withdrawn since, but in service in the second release.
    for (const path of recordsOf('goes')) expect(files).not.toContain(path)
    await expectWhole(dist)
    expect((await pruneTo(dist, 9)).files).toEqual([])
    expect((await pruneTo(dist, 1)).releases).toEqual(releases.slice(1, 4))
    await expectWhole(dist)
  })

  test('never a release in service or a newer one, after a rollback', async () => {
    const { dist, releases } = await treeOfFewNights()
    await rollback(dist, '2')
    expect((await pruneTo(dist, 1)).releases).toEqual(releases.slice(0, 1))
    expect(await readReleaseIds(dist)).toEqual(releases.slice(1))
    await expectWhole(dist)
  })

  test('never the latest record of a live clip, even after the release that added it is lost', async () => {
    const { folder, dist, releases } = await treeOfFewNights()
    await rollback(dist, '3')
    for (const id of releases.slice(3)) await rm(join(dist, 'releases', id), { recursive: true })
    const { files } = await pruneTo(dist, 1)
    expect(files).toEqual(expect.arrayContaining(recordsOf('changes')))
    for (const path of [...recordsOf('changes', '.3'), ...recordsOf('last')])
      expect(files).not.toContain(path)
    await buildTree(join(folder, 'night-4'), dist, { replace: 'all', maxShrink: 1 })
    await expectWhole(dist)
  })

  test('files whose clips are not in the ledger, after a new tree was begun', async () => {
    const { folder, dist } = await treeOfFewNights()
    loseState(dist)
    await buildTree(join(folder, 'night-4'), dist, { newTree: true })
    const { files, addresses } = await pruneTo(dist, 1)
    expect(files).toEqual(expect.arrayContaining(recordsOf('goes')))
    expect(addresses).toEqual(expect.arrayContaining([`/v1/clips/${idOf('goes')}`]))
    await expectWhole(dist)
  })

  test('the changes of all but the last 60 releases, and their empty folders', async () => {
    const { dist, releases } = await treeOfFewNights()
    const prunedBefore = Array.from({ length: 60 }, (_, i) => `000000-000000${i + 10}`)
    const changesOf = (ids: readonly string[]) => ids.map((id) => `releases/${id}/changes.json`)
    await writeFiles(dist, Object.fromEntries(changesOf(prunedBefore).map((path) => [path, '{}'])))
    const { files } = await pruneTo(dist, 1)
    const expected = changesOf(prunedBefore.slice(0, 5))
    expect(files.filter((path) => path.endsWith('changes.json'))).toEqual(expected)
    expect(await readReleaseFolders(dist)).toEqual([...prunedBefore.slice(5), ...releases])
  })

  test('the rest, if somebody else deletes a file meanwhile', async () => {
    const { dist } = await treeOfFewNights()
    const onPlan = ({ files }: Pruning) => rmSync(join(dist, files[0]!))
    await prune({ outFolder: dist, keep: 1, dryRun: false, onPlan })
    expect((await pruneTo(dist, 1)).files).toEqual([])
  })

  test('nothing on a dry run, which reports the same', async () => {
    const { dist } = await treeOfFewNights()
    const before = await filesOf(dist)
    const told = await pruneTo(dist, 1, { dryRun: true })
    expect(await filesOf(dist)).toEqual(before)
    expect(await pruneTo(dist, 1)).toEqual(told)
    expect(await pruneTo(dist, 1)).toEqual({ releases: [], files: [], addresses: [], bytes: 0, unknown: [] })
  })

  test('never an operator’s file, which it reports', async () => {
    const { dist } = await treeOfFewNights()
    const mine = ['data/clips/notes.txt', 'data/robots.txt', 'data/words/en/1.json', 'data/mine/a.json']
    await mkdir(join(dist, 'data/mine'))
    for (const path of mine) await writeFile(join(dist, path), 'mine')
    expect((await pruneTo(dist, 1)).unknown).toEqual(mine.toSorted())
    expect(await filesOf(dist)).toMatchObject(Object.fromEntries(mine.map((path) => [path, 'mine'])))
  })
})

test('the ledger records that a withdrawn clip has no record, and keeps its ordinal and revision', async () => {
  const { dist } = await treeOfFewNights()
  const before = readLedger(dist)!
  await pruneTo(dist, 1)
  const after = readLedger(dist)!
  const pruned = [...after.entries.values()].filter((entry) => entry.pruned).map(({ clipId }) => clipId)
  expect(pruned).toEqual([idOf('goes')])
  before.entries.get(idOf('goes'))!.pruned = true
  expect(after).toEqual(before)
})

test('deletes releases before it writes the ledger, so that a full disk has space for it', async () => {
  const { dist, releases } = await treeOfFewNights()
  const refuse = "CREATE TRIGGER full BEFORE UPDATE ON clips BEGIN SELECT RAISE(ABORT, 'disk full'); END"
  withState(dist, ({ db }) => db.exec(refuse))
  await expect(pruneTo(dist, 1)).rejects.toThrow('disk full')
  expect(await readReleaseIds(dist)).toEqual(releases.slice(-1))
  await expectWhole(dist)
  await Promise.all(recordsOf('goes').map((path) => stat(join(dist, path))))
  withState(dist, ({ db }) => db.exec('DROP TRIGGER full'))
  await pruneTo(dist, 1)
  await expect(stat(join(dist, recordsOf('goes')[0]!))).rejects.toThrow('ENOENT')
})

describe('a prune is refused, and nothing is deleted,', () => {
  async function expectRefused(dist: string, keep: number, reason: string): Promise<void> {
    const before = await filesOf(dist)
    await expect(pruneTo(dist, keep)).rejects.toThrow(reason)
    expect(await filesOf(dist)).toEqual(before)
  }

  test('if a retained release cannot be opened, but not if it is deleted anyway', async () => {
    const { dist, releases } = await treeOfFewNights()
    await rm(join(dist, 'releases', releases[3]!, 'words.bin'))
    await expectRefused(
      dist,
      2,
      `release ${releases[3]} must be kept, but the files that it needs are unknown`,
    )
    expect((await pruneTo(dist, 1)).releases).toEqual(releases.slice(0, 4))
  })

  test('if a file cannot be read for another reason, which is given', async () => {
    const { dist, releases } = await treeOfFewNights()
    const manifest = join(dist, 'releases', releases[3]!, 'manifest.json')
    await rm(manifest)
    await mkdir(manifest)
    const before = await filesOf(dist)
    await expect(pruneTo(dist, 2)).rejects.toBeInstanceOf(TreeFault)
    expect(await filesOf(dist)).toEqual(before)
  })

  test('if the ledger is missing or belongs to another tree', async () => {
    const { dist } = await treeOfFewNights()
    withState(dist, ({ head }) => void (head.tree = 'another'))
    await expectRefused(dist, 1, 'its ledger belongs to another tree')
    loseState(dist)
    await expectRefused(dist, 1, `the ledger of "${dist}" is lost`)
  })
})

test('killed at any moment, it leaves whole releases, and repeating it leaves the same tree as an undisturbed run', async () => {
  const { dist } = await treeOfFewNights()
  const at = (name: string) => join(dist, '..', name)
  await cp(dist, at('undisturbed'), { recursive: true })
  await pruneTo(at('undisturbed'), 2)
  const undisturbed = await filesOf(at('undisturbed'))
  await cp(dist, at('counted'), { recursive: true })
  const { steps } = await runPrune(at('counted'), Infinity)
  expect(await filesOf(at('counted'))).toEqual(undisturbed)
  expect(steps).toBeGreaterThan(15)

  // Steps before the last third take the lock, update the ledger and move releases; then one file
  // after another is deleted.
  const isChosen = (step: number) => step % (step < (steps * 2) / 3 ? 3 : 6) === 0
  const chosen = Array.from({ length: steps }, (_, step) => step).filter(isChosen)
  const queue = shareOf(chosen).values()
  const worker = async () => {
    for (const step of queue) {
      const killed = at(`killed-${step}`)
      await cp(dist, killed, { recursive: true })
      expect((await runPrune(killed, step)).signal, `step ${step}`).toBe('SIGKILL')
      await expectWhole(killed)
      await pruneTo(killed, 2)
      expect(await filesOf(killed), `step ${step}`).toEqual(undisturbed)
      await rm(killed, { recursive: true })
    }
  }
  await Promise.all([worker(), worker()])
})

/** Runs `prune --keep 2` and kills it at a step of the file system. */
function runPrune(dist: string, step: number): ReturnType<typeof dieAtStep> {
  return dieAtStep(['prune', '--keep', '2', '--out', dist], step)
}
