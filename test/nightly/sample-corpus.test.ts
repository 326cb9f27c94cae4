import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { glosses } from '#contract/glosses.ts'
import { bands, levels } from '#contract/levels.ts'
import type { BuildSummary } from '#nightly/build.ts'
import { openRelease, type Release } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { sharedFolder } from '../harness/temp-folder.ts'
import { buildTree } from './small-corpus.ts'
import { clipsOf } from '../harness/opened.ts'

const sample = join(import.meta.dirname, '../../src/sample-corpus')
const dist = sharedFolder()
let summary: BuildSummary
let release: Release
beforeAll(async () => {
  summary = await buildTree(sample, dist, { strict: true })
  release = await openRelease(new FolderTree(dist), summary.release)
})

test('builds with --strict without a warning', () => {
  expect(summary).toMatchObject({ rejected: [], warnings: [] })
})

test('has at least 80 clips in at least 5 languages, of all six levels in each', () => {
  const { coverage } = release
  expect(coverage.clipCount).toBeGreaterThanOrEqual(80)
  expect(coverage.languages.length).toBeGreaterThanOrEqual(5)
  for (const { language, clipsByLevel } of coverage.languages)
    expect(
      levels.filter((level) => clipsByLevel[level] === 0),
      language,
    ).toEqual([])
})

test('has at least 400 words, some of them in no clip', () => {
  const { coverage } = release
  const sum = (field: 'wordCount' | 'wordsWithClips') =>
    coverage.languages.reduce((total, each) => total + each[field], 0)
  expect(sum('wordCount')).toBeGreaterThanOrEqual(400)
  expect(sum('wordsWithClips')).toBeLessThan(sum('wordCount'))
})

test('every clip has a focus word in the band of its level', () => {
  const without = release.coverage.languages.flatMap(({ language }) =>
    clipsOf(release, language).filter((row) => {
      const band = Math.min(levels.indexOf(row!.clip.level) + 1, levels.length - 1)
      return row!.focus[bands.indexOf(levels[band]!)] === null
    }),
  )
  expect(without.map((row) => row!.clip.videoId)).toEqual([])
})

test('has meanings in every gloss, and some are missing', () => {
  const { coverage } = release
  expect(
    glosses.filter((gloss) => coverage.languages.every(({ glossCoverage }) => glossCoverage[gloss] === 0)),
    'add meanings in these glosses to src/sample-corpus/catalogue/en.jsonl',
  ).toEqual([])
  const shares = coverage.languages.flatMap(({ glossCoverage }) => Object.values(glossCoverage))
  expect(shares.some((share) => share < 1)).toBe(true)
  expect(coverage.languages.some(({ glossCoverage }) => glossCoverage.en < 1)).toBe(true)
})
