import { join } from 'node:path'
import { expect, test } from 'vitest'
import { glosses } from '#contract/glosses.ts'
import { bands, levels } from '#contract/levels.ts'
import { openRelease, type Release } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { buildTree } from './small-corpus.ts'
import { clipsOf } from '../harness/opened.ts'

const sample = join(import.meta.dirname, '../../src/sample-corpus')
let opened: Promise<Release> | undefined

/** Built only once. */
function release(): Promise<Release> {
  const build = async () => {
    const dist = tempFolder()
    const summary = await buildTree(sample, dist, { strict: true })
    expect(summary).toMatchObject({ rejected: [], warnings: [] })
    return await openRelease(new FolderTree(dist), summary.release)
  }
  return (opened ??= build())
}

test('builds with --strict without a warning', async () => {
  expect((await release()).coverage.clipCount).toBeGreaterThan(0)
})

test('has at least 80 clips in at least 5 languages, of all six levels in each', async () => {
  const { coverage } = await release()
  expect(coverage.clipCount).toBeGreaterThanOrEqual(80)
  expect(coverage.languages.length).toBeGreaterThanOrEqual(5)
  for (const { language, clipsByLevel } of coverage.languages) {
    expect(
      levels.filter((level) => clipsByLevel[level] === 0),
      language,
    ).toEqual([])
  }
})

test('has at least 400 words, some of them in no clip', async () => {
  const { coverage } = await release()
  const sum = (field: 'wordCount' | 'wordsWithClips') =>
    coverage.languages.reduce((total, each) => total + each[field], 0)
  expect(sum('wordCount')).toBeGreaterThanOrEqual(400)
  expect(sum('wordsWithClips')).toBeLessThan(sum('wordCount'))
})

test('every clip has a focus word in the band of its level', async () => {
  const opened = await release()
  const without = opened.coverage.languages.flatMap(({ language }) =>
    clipsOf(opened, language).filter((row) => {
      const band = Math.min(levels.indexOf(row!.clip.level) + 1, levels.length - 1)
      return row!.focus[bands.indexOf(levels[band]!)] === null
    }),
  )
  expect(without.map((row) => row!.clip.videoId)).toEqual([])
})

test('has meanings in every gloss, and some are missing', async () => {
  const { coverage } = await release()
  expect(
    glosses.filter((gloss) => coverage.languages.every(({ glossCoverage }) => glossCoverage[gloss] === 0)),
    'add meanings in these glosses to src/sample-corpus/catalogue/en.jsonl',
  ).toEqual([])
  const shares = coverage.languages.flatMap(({ glossCoverage }) => Object.values(glossCoverage))
  expect(shares.some((share) => share < 1)).toBe(true)
  expect(coverage.languages.some(({ glossCoverage }) => glossCoverage.en < 1)).toBe(true)
})
