import { statSync } from 'node:fs'
import { readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diffReleases } from '#tree/changes.ts'
import { Refused } from '#tree/refused.ts'
import { listReleases, nameRelease } from '#tree/releases.ts'
import { resume, rollback } from '#tree/rollback.ts'
import { jsonFiles, openNamingTables } from '#release/named-files.ts'
import { readReleaseIds } from '#release/release-ids.ts'
import { readCurrent, readManifest } from '#release/release.ts'
import { segmentPaths } from '#release/sentences/layout.ts'
import { FolderTree } from '#release/tree.ts'
import { faultsOf } from '../harness/faults-of.ts'
import { flipBit } from '../harness/flip-bit.ts'
import { readLedger, withState } from '../harness/ledger.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { clipIdOf } from '../model/indexed.ts'
import { buildNights, treeOfFewNights } from '../nightly/few-nights.ts'
import {
  buildTree,
  catalogue,
  clip,
  corpus,
  epochS,
  filesOf,
  readJson,
  word,
  writeFiles,
} from '../nightly/small-corpus.ts'

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

describe('a release is named', () => {
  const idsOf = (count: number) => Array.from({ length: count }, (_, i) => `00000${i + 1}-0000000a`)

  async function folderWith(ids: readonly string[]): Promise<string> {
    const folder = tempFolder()
    await writeFiles(folder, Object.fromEntries(ids.map((id) => [`releases/${id}/manifest.json`, '{}'])))
    return folder
  }

  test('by its id or its number', async () => {
    const folder = await folderWith(idsOf(2))
    for (const name of ['2', '000002', '000002-0000000a'])
      expect(await nameRelease(folder, name)).toBe('000002-0000000a')
  })

  test.each<[string, string[], string, string[]]>([
    ['there is none', [], '1', []],
    ['it is neither', idsOf(5), 'last', idsOf(5)],
    ['it is a number with a base', idsOf(1), '0x1', idsOf(1)],
    ['it is a number with a point', idsOf(1), '1.0', idsOf(1)],
    ['there is none of this number', idsOf(6), '7', [...idsOf(6).slice(1), '…']],
    [
      'there are two of this number',
      ['000001-0000000b', ...idsOf(1)],
      '1',
      ['000001-0000000a', '000001-0000000b'],
    ],
  ])('and refused if %s, with the last five', async (_, ids, name, told) => {
    const folder = await folderWith(ids)
    const list = told.filter((id) => id !== '…').toReversed()
    const expected = list.length === 0 ? 'It has no releases' : `Its releases are ${list.join(', ')}`
    await expect(nameRelease(folder, name)).rejects.toThrow(
      new Refused(
        `there is no release "${name}" in "${folder}". ${expected}${told.includes('…') ? ', …' : ''}`,
      ),
    )
  })
})

describe('the difference of two releases', () => {
  test('names clips and words in order', async () => {
    const folder = tempFolder()
    const videos = Array.from({ length: 8 }, (_, i) => `v${i}`)
    const words = ['cat', 'run', 'moon', 'the'].map((text, i) => word(10 - i, text))
    const nights = [videos, videos.toReversed().slice(1), ['v3', 'v5']]
    await buildNights(
      folder,
      nights.map((ids, i) => ({ clips: ids.map((id) => clip(id, `The cat ran ${'on '.repeat(i)}`)), words })),
    )
    const dist = join(folder, 'dist')
    for (const [from, to] of [
      ['1', '2'],
      ['1', '3'],
      ['3', '1'],
    ] as const) {
      const { clips } = (await diffReleases(dist, from, to)).changes
      for (const ids of Object.values(clips)) expect(ids).toEqual(ids.toSorted())
    }
    const first = await readJson(dist, 'releases', (await readReleaseIds(dist))[0]!, 'changes.json')
    expect(first.clips.added).toHaveLength(8)
    expect(first.clips.added).toEqual(first.clips.added.toSorted())
    expect(first.words.added).toEqual([7, 8, 9, 10])
  })

  test('names the JSON files under data/ that differ', async () => {
    const { dist, releases } = await treeOfFewNights()
    let before: string[] = []
    for (const release of releases) {
      const { files } = await readJson(dist, 'releases', release, 'changes.json')
      const after = [...jsonFiles(await openNamingTables(new FolderTree(dist), release))].sort()
      expect(files).toEqual({
        added: after.filter((path) => !before.includes(path)),
        removed: before.filter((path) => !after.includes(path)),
      })
      before = after
    }
  })

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
    const { changes: back, headwordOf: headwordBack } = await diffReleases(dist, '4', '2')
    expect(back.clips).toEqual({
      added: there.clips.withdrawn,
      changed: there.clips.changed,
      withdrawn: there.clips.added,
    })
    expect(back.words.withdrawn).toEqual([9])
    expect(headwordBack(9)).toBe('the')
    const expected = { added: [], changed: [], withdrawn: [] }
    expect((await diffReleases(dist, '3', '3')).changes.clips).toEqual(expected)
  })
})

test('a difference names the words of both releases', async () => {
  const folder = tempFolder()
  const words = [catalogue.slice(1), catalogue]
  const releases = await buildNights(
    folder,
    words.map((words) => ({ clips: [clip('stays')], words })),
  )
  const { changes, headwordOf } = await diffReleases(join(folder, 'dist'), releases[0]!, releases[1]!)
  expect(changes.words.added).toEqual([1])
  expect(headwordOf(1)).toBe('cat')
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
    ['a record is missing', `data/clips/${idOf('goes')}.json`, '"<file>" is missing'],
    ['a transcript is missing', `data/transcripts/${idOf('goes')}.json`, '"<file>" is missing'],
    ['all transcripts are missing', 'data/transcripts', `" and 3 more of its files are missing`],
  ])('to a release of which %s is refused, and the current one stays in service', async (_, path, reason) => {
    const { dist, releases } = await treeOfFewNights()
    const file = join(dist, path.replace('<id>', releases[1]!))
    if (reason.startsWith('does not match')) flipBit(file)
    else await rm(file, { recursive: true })
    const before = await filesOf(dist)
    const placed = reason.replace('<file>', path)
    await expect(rollback(dist, releases[1]!)).rejects.toThrow(
      new RegExp(
        `^cannot roll back to ${releases[1]}: .*${placed}.*\\. Release ${releases[4]} stays in service$`,
      ),
    )
    expect(await filesOf(dist)).toEqual(before)
  })

  test('is refused if the release is in service, if there is none before, and if it belongs to another tree', async () => {
    const { dist, releases } = await treeOfFewNights()
    await expect(rollback(dist, '5')).rejects.toThrow(`release ${releases[4]} is already in service`)
    await rollback(dist, '1')
    await expect(rollback(dist)).rejects.toThrow(`there is no release before ${releases[0]}`)
    await rollback(dist, '3')
    for (const id of releases.slice(0, 2)) await rm(join(dist, 'releases', id, 'words.bin'))
    const reasons = releases
      .slice(0, 2)
      .map((id) => `; ${id}: there is no file "releases/${id}/words.bin" in "${dist}"`)
    await expect(rollback(dist)).rejects.toThrow(`can be served${reasons.toReversed().join('')}`)
    withState(dist, ({ head }) => void (head.tree = 'another'))
    await expect(rollback(dist, '4')).rejects.toThrow('it is of another tree than the ledger')
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
    const changes = `releases/${releases[2]}/changes.json`
    expect(await readJson(dist, 'index.json')).toMatchObject({ release: releases[2], changes })
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
