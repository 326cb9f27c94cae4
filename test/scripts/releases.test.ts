import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { State } from '#tree/state.ts'
import { readCurrent } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { clipIdOf } from '../model/indexed.ts'
import { treeOfFewNights } from '../nightly/few-nights.ts'
import { clip, filesOf } from '../nightly/small-corpus.ts'
import { failure, run } from '../harness/command.ts'

test('releases list prints a table, the newest release first, and every field with --json', async () => {
  const { folder, dist, releases } = await treeOfFewNights()
  await rm(join(dist, 'releases', releases[1]!, 'words.bin'))
  const { code, stdout, stderr } = await run(folder, ['releases', 'list'])
  expect(code).toBe(0)
  const lines = stdout.trim().split('\n')
  expect(lines[0]).toMatch(/^release +builtAt +clips +words +sizeBytes +current$/)
  expect(lines[1]).toMatch(new RegExp(`^${releases[4]} .* in service$`))
  expect(lines).toHaveLength(5)
  expect(stderr).toMatch(new RegExp(`^${releases[1]} cannot be read: .*words\\.bin`))
  const json = await run(folder, ['releases', 'list', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject(
    releases.toReversed().map((release, i) => ({ release, current: i === 0 })),
  )
  expect(json.stderr).toBe('')
})

test('releases diff prints counts and the first ids, and with --json the format of changes.json', async () => {
  const { folder, releases } = await treeOfFewNights()
  const { code, stdout } = await run(folder, ['releases', 'diff', '2', '3'])
  expect(code).toBe(0)
  expect(stdout).toContain(`${releases[1]} → ${releases[2]}`)
  expect(stdout).toMatch(new RegExp(`^clips withdrawn +1  ${clipIdOf(clip('goes'))}$`, 'm'))
  expect(stdout).toMatch(/^words (added|changed|withdrawn) +[1-9]\d*  [a-z]+/m)
  const json = await run(folder, ['releases', 'diff', '2', '3', '--json'])
  expect(Object.keys(JSON.parse(json.stdout))).toEqual(['from', 'to', 'clips', 'words'])
})

test('releases rollback puts another release in service and says until when', async () => {
  const { folder, dist, releases } = await treeOfFewNights()
  const { code, stdout, stderr } = await run(folder, ['releases', 'rollback', '--json'])
  expect([code, JSON.parse(stdout)]).toEqual([0, { from: releases[4], to: releases[3], passedOver: [] }])
  expect(stderr).toContain('until you run "releases resume"')
  expect(await readCurrent(new FolderTree(dist))).toBe(releases[3])
  const { stdout: said } = await run(folder, ['releases', 'rollback', '2'])
  expect(said).toBe(`in service  ${releases[1]} (before: ${releases[3]})\n`)
})

test('prune prints the addresses to purge, and all paths with --json; the totals go to stderr', async () => {
  const { folder, dist, releases } = await treeOfFewNights()
  await writeFile(join(dist, 'data', 'mine.txt'), '')
  const before = await filesOf(dist)
  const dry = await run(folder, ['prune', '--dry-run', '--json'])
  const { files, addresses, ...told } = JSON.parse(dry.stdout)
  expect(told.releases).toEqual(releases.slice(0, 2))
  expect(await filesOf(dist)).toEqual(before)
  // The clip "goes" was withdrawn, and "changes" replaced, in releases that are not retained.
  const [gone, replaced] = [clipIdOf(clip('goes')), clipIdOf(clip('changes'))]
  expect(addresses).toEqual(
    [
      ...[gone, 'goes', replaced, 'changes'].flatMap((id) => [
        `/v1/clips/${id}`,
        `/v1/clips/${id}/transcript`,
      ]),
      ...[gone, replaced].flatMap((id) => [`/data/clips/${id}.json`, `/data/transcripts/${id}.json`]),
    ].toSorted(),
  )
  const counts = new RegExp(`  2 releases, ${files.length} files, \\d+ bytes$`, 'm')
  const { code, stdout, stderr } = await run(folder, ['prune'], { CLIP_LOOKUP_KEEP: '3' })
  expect([code, stdout]).toEqual([0, `${addresses.join('\n')}\n`])
  expect(stderr).toMatch(counts)
  expect(stderr).toContain('kept      data/mine.txt: not created by a build\n')
  const after = await filesOf(dist)
  expect(Object.keys(before).filter((path) => !(path in after))).toEqual(files.toSorted())
  const expected = '{"releases":[],"files":[],"addresses":[],"bytes":0}\n'
  expect((await run(folder, ['prune', '--json'])).stdout).toBe(expected)
  expect((await run(folder, ['prune'])).stdout).toBe('')
})

test('verify reports that the release is whole, or names each fault and exits with 1', async () => {
  const { folder, dist, releases } = await treeOfFewNights()
  const well = await run(folder, ['verify'])
  expect(well).toMatchObject({ code: 0, stderr: '' })
  expect(well.stdout).toMatch(new RegExp(`^release ${releases[4]}: \\d+ files, \\d+ bytes, no faults\n$`))
  const path = `data/clips/${clipIdOf(clip('goes'))}.json`
  await rm(join(dist, path))
  expect((await run(folder, ['verify'])).code).toBe(0)
  const { code, stdout } = await run(folder, ['verify', '--release', '2'])
  expect(code).toBe(1)
  const expected = /^data\/clips\/\S+: wanted SHA-256 \S+, received no such file\nrelease .*, 1 fault$/m
  expect(stdout).toMatch(expected)
  const json = await run(folder, ['verify', '--release', releases[0]!, '--json'])
  expect(json.code).toBe(1)
  const faults = [{ path, received: 'no such file' }]
  expect(JSON.parse(json.stdout)).toMatchObject({ release: releases[0], faults })
})

test.each([
  [['releases', 'diff', '1'], 'The command needs B'],
  [['releases', 'rollback', '1', '2'], 'The command does not take the argument "2"'],
  [['prune', '--keep', '0'], '--keep must be a whole number from 1'],
  [['verify', 'x'], 'The command does not take the argument "x"'],
])('%j is a usage error', async (args, message) => {
  expect(await run(tempFolder(), args)).toEqual(failure(2, message))
})

test.each([
  [['releases', 'diff', '1', '2'], 'There is no release "1" in'],
  [['releases', 'rollback'], 'no file "current.json"'],
  [['prune'], 'no file "current.json"'],
  [['verify'], 'no file "current.json"'],
])('%j fails with the reason if nothing was published', async (args, message) => {
  const folder = tempFolder()
  const outcome = await run(folder, args)
  expect(outcome).toEqual(failure(1, message))
  expect(outcome.stderr).not.toContain('    at ')
  expect(Object.keys(await filesOf(folder))).toEqual([])
})

test('during a build, nothing is built, pruned or rolled back, but list, diff and verify work', async () => {
  const { folder, dist } = await treeOfFewNights()
  const state = State.open(dist)
  onTestFinished(() => state.close())
  for (const command of ['build --corpus night-0', 'prune', 'releases rollback'])
    expect(await run(folder, command.split(' '))).toEqual(
      failure(1, 'Another build, prune or rollback is running'),
    )
  for (const command of ['releases list', 'releases diff 1 2', 'verify'])
    expect(await run(folder, command.split(' '))).toMatchObject({ code: 0 })
})
