import { statSync } from 'node:fs'
import { readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diffReleases } from '#tree/changes.ts'
import { listReleases } from '#tree/releases.ts'
import { resume, rollback } from '#tree/rollback.ts'
import { readCurrent, readManifest } from '#release/release.ts'
import { segmentPaths } from '#release/sentences/layout.ts'
import { FolderTree } from '#release/tree.ts'
import { faultsOf } from '../harness/faults-of.ts'
import { flipBit } from '../harness/flip-bit.ts'
import { readLedger, withState } from '../harness/ledger.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { clipIdOf } from '../model/indexed.ts'
import { treeOfFewNights } from '../nightly/few-nights.ts'
import { buildTree, clip, corpus, epochS, filesOf, readJson } from '../nightly/small-corpus.ts'

const idOf = (videoId: string) => clipIdOf(clip(videoId))

describe('a list of releases', () => {
  test('describes each, the newest first, with its contents and which is in service', async () => {
    const { dist, releases } = await treeOfFewNights()
    const listed = await listReleases(dist)
    expect(listed.map(({ release }) => release)).toEqual(releases.toReversed())
    expect(listed.map(({ clips }) => clips)).toEqual([5, 4, 4, 4, 4])
    expect(listed.map(({ words }) => words)).toEqual([3, 4, 3, 3, 3])
    expect(listed.map(({ current }) => current)).toEqual([true, false, false, false, false])
    expect(listed[0]!.builtAt).toBe(new Date(epochS * 1000).toISOString())
    const files = await readdir(join(dist, 'releases', releases[0]!))
    const sizes = files.map((file) => statSync(join(dist, 'releases', releases[0]!, file)).size)
    expect(listed.at(-1)!.sizeBytes).toBe(sizes.reduce((sum, size) => sum + size, 0))
  })

  test('gives the reason for one that cannot be read', async () => {
    const { dist, releases } = await treeOfFewNights()
    const [first, second, , fourth] = releases
    await writeFile(join(dist, 'releases', first!, 'manifest.json'), '{}')
    await rm(join(dist, 'releases', second!, 'spellings.bin'))
    await rm(join(dist, (await readJson(dist, 'releases', fourth!, 'manifest.json')).corpus))
    const faults = (await listReleases(dist)).map(({ fault }) => fault).reverse()
    expect(faults[0]).toContain('it is not a file of the format')
    expect(faults[1]).toContain('spellings.bin')
    expect(faults[3]).toContain('no file "data/corpus.')
    expect([faults[2], faults[4]]).toEqual([null, null])
  })
})

describe('the difference of two releases', () => {
  test('that are consecutive equals changes.json', async () => {
    const { dist, releases } = await treeOfFewNights()
    for (let i = 1; i < releases.length; i++) {
      const { files: _, ...told } = await readJson(dist, 'releases', releases[i]!, 'changes.json')
      expect((await diffReleases(dist, releases[i - 1]!, releases[i]!)).changes).toEqual(told)
    }
  })

  test('exists for any two, in either direction, by id or number', async () => {
    const { dist, releases } = await treeOfFewNights()
    const { changes: there, headwordOf } = await diffReleases(dist, '2', releases[3]!)
    expect(there).toMatchObject({ from: releases[1], to: releases[3] })
    expect(there.clips).toEqual({
      added: [idOf('pauses')],
      changed: [idOf('changes')],
      withdrawn: [idOf('goes')],
    })
    expect(there.words.added).toEqual([9])
    expect(headwordOf(9)).toBe('the')
    const { changes: back } = await diffReleases(dist, '4', '2')
    expect(back.clips).toEqual({
      added: there.clips.withdrawn,
      changed: there.clips.changed,
      withdrawn: there.clips.added,
    })
    expect(back.words.withdrawn).toEqual([9])
    const expected = { added: [], changed: [], withdrawn: [] }
    expect((await diffReleases(dist, '3', '3')).changes.clips).toEqual(expected)
  })
})

describe('a rollback', () => {
  test('puts the previous release in service, in the pointer and in the ledger, and changes nothing else', async () => {
    const { dist, releases } = await treeOfFewNights()
    const before = await filesOf(dist)
    expect(await rollback(dist)).toEqual({ from: releases[4], to: releases[3], passedOver: [] })
    expect(await readCurrent(new FolderTree(dist))).toBe(releases[3])
    const ledger = readLedger(dist)!
    expect(ledger.release).toBe(releases[3])
    const { 'current.json': _, 'index.json': __, ...others } = before
    expect(await filesOf(dist)).toMatchObject(others)
    // Back again, and forward.
    expect((await rollback(dist)).to).toBe(releases[2])
    expect((await rollback(dist, '5')).to).toBe(releases[4])
    await resume(dist)
    expect(await filesOf(dist)).toEqual(before)
  })

  test('skips a release whose sentence index is damaged', async () => {
    const { dist, releases } = await treeOfFewNights()
    const { sentences } = await readManifest(new FolderTree(dist), releases[3]!)
    await truncate(join(dist, segmentPaths(sentences[0]!)[0]!), 10)
    const { passedOver } = await rollback(dist)
    expect(passedOver[0]).toEqual({ release: releases[3], fault: expect.stringContaining('data/sentences/') })
  })

  test('skips a release that cannot be served', async () => {
    const { dist, releases } = await treeOfFewNights()
    await rm(join(dist, 'releases', releases[3]!, 'words.bin'))
    const { to, passedOver } = await rollback(dist)
    expect(to).toBe(releases[2])
    expect(passedOver).toEqual([{ release: releases[3], fault: expect.stringContaining('words.bin') }])
  })

  test.each([
    ['a table was altered', 'releases/<id>/words.bin', 'does not match the manifest'],
    ['a table is missing', 'releases/<id>/clips.bin', 'no file "releases/'],
    ['its list of changes is missing', 'releases/<id>/changes.json', 'is missing'],
    ['a record is missing', `data/clips/${idOf('goes')}.json`, 'is missing'],
    ['a transcript is missing', `data/transcripts/${idOf('goes')}.json`, 'is missing'],
  ])('to a release of which %s is refused, and the current one stays in service', async (_, path, reason) => {
    const { dist, releases } = await treeOfFewNights()
    const file = join(dist, path.replace('<id>', releases[1]!))
    if (reason.startsWith('does not match')) flipBit(file)
    else await rm(file)
    const before = await filesOf(dist)
    await expect(rollback(dist, releases[1]!)).rejects.toThrow(reason)
    expect(await filesOf(dist)).toEqual(before)
  })

  test('is refused if the release is in service, if there is none before, and if it belongs to another tree', async () => {
    const { dist, releases } = await treeOfFewNights()
    await expect(rollback(dist, '5')).rejects.toThrow(`release ${releases[4]} is already in service`)
    await rollback(dist, '1')
    await expect(rollback(dist)).rejects.toThrow(`there is no release before ${releases[0]}`)
    withState(dist, ({ head }) => void (head.tree = 'another'))
    await expect(rollback(dist, '2')).rejects.toThrow('it is of another tree than the ledger')
  })

  test('holds until it is resumed: later builds wait', async () => {
    const { folder, dist, releases } = await treeOfFewNights()
    await rollback(dist, '3')
    const source = join(folder, 'night-4')
    const more = { replace: 'all' as const, maxShrink: 1 }
    const expected = { release: releases[4], isNew: false, heldRelease: releases[2] }
    expect(await buildTree(source, dist, more)).toMatchObject(expected)
    await writeSourceFolder(source, corpus([clip('new')]))
    const { release, heldRelease } = await buildTree(source, dist, more)
    expect(release).toMatch(/^000006-/)
    expect(heldRelease).toBe(releases[2])
    expect(await readCurrent(new FolderTree(dist))).toBe(releases[2])
    expect((await readJson(dist, 'index.json')).release).toBe(releases[2])
    // It continues the last release, not the one in service.
    expect(await readJson(dist, 'releases', release, 'changes.json')).toMatchObject({ from: releases[4] })
    expect(await buildTree(source, dist, more)).toMatchObject({
      release,
      isNew: false,
      heldRelease: releases[2],
    })

    expect(await resume(dist)).toEqual({ from: releases[2], to: release })
    expect(await readCurrent(new FolderTree(dist))).toBe(release)
    await writeSourceFolder(source, corpus([clip('new'), clip('newer')]))
    const next = await buildTree(source, dist, more)
    expect(next).toMatchObject({ isNew: true, heldRelease: null })
    expect(await readCurrent(new FolderTree(dist))).toBe(next.release)
    expect(await faultsOf(dist, next.release)).toEqual([])
  })

  test('cannot be resumed if none is in force, nor with a release that cannot be served', async () => {
    const { dist, releases } = await treeOfFewNights()
    await expect(resume(dist)).rejects.toThrow(
      `there is no rollback to end: release ${releases[4]} is in service, and no later one is held back`,
    )
    await rollback(dist)
    await rm(join(dist, 'releases', releases[4]!, 'clips.bin'))
    await expect(resume(dist)).rejects.toThrow(`cannot resume with ${releases[4]}: there is no file`)
    expect(await readCurrent(new FolderTree(dist))).toBe(releases[3])
  })
})
