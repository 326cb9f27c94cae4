import type { Coverage } from '#contract/corpus.ts'
import { toDate } from '#contract/dates.ts'
import type { Manifest } from '#release/manifest.ts'
import { releaseNumber } from '#release/paths.ts'
import { readReleaseIds } from '#release/release-ids.ts'
import { readManifest } from '#release/release.ts'
import { folderTree, MissingFile } from '#release/tree.ts'
import type { GrowthPoint } from './site-input.ts'

/** How many releases the growth looks back on. */
const pointsShown = 60

/**
 * What each release that is still in the tree held, the oldest first, up to one of them. One that
 * cannot be read, as of another format version, is left out.
 */
export async function readGrowth(outFolder: string, upTo: string): Promise<GrowthPoint[]> {
  const releases = (await readReleaseIds(outFolder)).filter(
    (id) => releaseNumber(id) < releaseNumber(upTo) || id === upTo,
  )
  const points = await Promise.all(releases.slice(-pointsShown).map((id) => readPoint(outFolder, id)))
  return points.filter((point) => point !== null)
}

async function readPoint(outFolder: string, release: string): Promise<GrowthPoint | null> {
  try {
    const tree = folderTree(outFolder)
    const manifest = await readManifest(tree, release)
    return pointOf(manifest, JSON.parse((await tree.read(manifest.corpus)).toString()) as Coverage)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof MissingFile) return null
    throw error
  }
}

function pointOf({ release, builtAtMs }: Manifest, coverage: Coverage): GrowthPoint {
  const sum = (pick: (language: Coverage['languages'][number]) => number) =>
    coverage.languages.reduce((total, language) => total + pick(language), 0)
  return {
    release,
    builtAt: toDate(builtAtMs),
    clipCount: coverage.clipCount,
    wordCount: sum(({ wordCount }) => wordCount),
    wordsWithClips: sum(({ wordsWithClips }) => wordsWithClips),
  }
}
