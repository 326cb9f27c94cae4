import type { Coverage } from '#contract/corpus.ts'
import { toDate } from '#contract/dates.ts'
import { readReleaseIds } from '#release/release-ids.ts'
import { readManifest } from '#release/release.ts'
import { FolderTree, MissingFile } from '#release/tree.ts'

/** How many releases the growth looks back on. */
const pointsShown = 60

/**
 * Returns the sizes of the last releases up to `upTo`, oldest first. Releases that cannot be read,
 * such as those in another format version, are left out.
 */
export async function readGrowth(outFolder: string, upTo: string) {
  const all = await readReleaseIds(outFolder)
  const releases = all.slice(0, all.indexOf(upTo) + 1).slice(-pointsShown)
  const points = await Promise.all(releases.map((id) => readPoint(outFolder, id)))
  return points.filter((point) => point !== null)
}

async function readPoint(outFolder: string, release: string) {
  try {
    const tree = new FolderTree(outFolder)
    const { builtAtMs, corpus } = await readManifest(tree, release)
    const { clipCount, languages } = JSON.parse((await tree.read(corpus)).toString()) as Coverage
    return {
      release,
      builtAt: toDate(builtAtMs),
      clipCount,
      wordCount: languages.reduce((sum, { wordCount }) => sum + wordCount, 0),
      wordsWithClips: languages.reduce((sum, { wordsWithClips }) => sum + wordsWithClips, 0),
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof MissingFile) return null
    throw error
  }
}
