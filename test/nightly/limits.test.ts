import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BuildStopped } from '#nightly/build-stopped.ts'
import type { LimitName } from '#release/limits.ts'
import { FolderTree } from '#release/tree.ts'
import { checkLimits, openCurrent } from '../../scripts/doctor/checks.ts'
import { clips } from './small-corpus.ts'
import { Nights } from './nights.ts'

const nights = new Nights()

test.each<[LimitName, string, string]>([
  ['files', 'data/', 'Split the corpus'],
  ['clipRows', 'clips.bin', 'Split the corpus'],
  ['words', 'words.bin', 'Split the corpus'],
  ['tableBytes', 'clips.bin, words.bin or spellings.bin', 'Split the corpus'],
  ['changesBytes', 'changes.json', 'in several builds'],
])('a build over the limit of %s stops, names it, and publishes nothing', async (name, place, advice) => {
  const stop = (await nights
    .build(clips(10), { limits: { [name]: 1 } })
    .catch((error: unknown) => error)) as BuildStopped
  expect(stop).toBeInstanceOf(BuildStopped)
  expect(stop.message).toBe('the release would exceed a limit. Nothing was published')
  expect(stop.problems).toMatchObject([{ file: place }])
  expect(stop.problems[0]!.reason).toMatch(/% of the limit of 1\./)
  expect(stop.problems[0]!.reason).toContain(advice)
  expect(existsSync(join(nights.dist, 'current.json'))).toBe(false)
  expect((await nights.again()).release).toMatch(/^000001-/)
})

test('a build and doctor warn at 80% of a limit', async () => {
  const limits = { clipRows: 12 }
  const reason = 'has 10 clips, including withdrawn ones, which is 83% of the limit of 12. Split the corpus'
  const { warnings } = await nights.build(clips(10), { limits })
  expect(warnings.map(({ file, reason }) => `${file} ${reason}`)).toContainEqual(
    expect.stringContaining(`clips.bin ${reason}`),
  )
  const tree = new FolderTree(nights.dist)
  const opening = openCurrent(tree)
  using _ = await opening
  expect(await checkLimits(tree, opening, limits)).toContain(`clips.bin ${reason}`)
  expect(await checkLimits(tree, opening)).toBe('no size of the release is near its limit')
})
