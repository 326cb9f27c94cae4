import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Coverage } from '#contract/corpus.ts'
import { toDate } from '#contract/dates.ts'
import { parseManifest } from '#release/manifest.ts'
import { releasePath } from '#release/paths.ts'
import type { GrowthPoint } from './site-input.ts'

/** How many releases the growth looks back on. */
const pointsShown = 60

/** What each release that is still in the tree held, the oldest first, up to one of them. */
export async function readGrowth(outFolder: string, upTo: string): Promise<GrowthPoint[]> {
  const names = (await readdir(join(outFolder, 'releases'))).filter((name) => /^\d+-[0-9a-f]+$/.test(name))
  const releases = names.sort().filter((name) => name <= upTo)
  return await Promise.all(releases.slice(-pointsShown).map((name) => readPoint(outFolder, name)))
}

async function readPoint(outFolder: string, release: string): Promise<GrowthPoint> {
  const path = releasePath(release, 'manifest.json')
  const manifest = parseManifest(await readFile(join(outFolder, path), 'utf8'), path)
  const coverage = JSON.parse(await readFile(join(outFolder, manifest.corpus), 'utf8')) as Coverage
  const sum = (pick: (language: Coverage['languages'][number]) => number) =>
    coverage.languages.reduce((total, language) => total + pick(language), 0)
  return {
    release,
    builtAt: toDate(manifest.builtAtMs),
    clipCount: coverage.clipCount,
    wordCount: sum(({ wordCount }) => wordCount),
    wordsWithClips: sum(({ wordsWithClips }) => wordsWithClips),
  }
}
