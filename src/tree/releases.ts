import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Coverage } from '#contract/corpus.ts'
import { toDate } from '#contract/dates.ts'
import { filesOf } from '#release/manifest.ts'
import { releaseNumber, releasePath } from '#release/paths.ts'
import { readReleaseIds } from '#release/release-ids.ts'
import { readManifest } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { readCurrentOrNull } from './pointer.ts'
import { Refused } from './refused.ts'

/** A release in a listing. Values that cannot be read are null. */
export interface ListedRelease {
  release: string
  builtAt: string | null
  clips: number | null
  words: number | null
  /** The size of its own folder, without its share of `data/`. */
  sizeBytes: number | null
  /** Whether it is in service. */
  current: boolean
  /** The reason why it cannot be read. */
  fault: string | null
}

/** Lists the releases of a tree, newest first, by their manifests and by which files exist. */
export async function listReleases(outFolder: string): Promise<ListedRelease[]> {
  const current = await readCurrentOrNull(outFolder)
  const ids = await readReleaseIds(outFolder)
  return Array.fromAsync(ids.reverse(), async (release) => {
    return { release, ...(await readFacts(outFolder, release)), current: release === current }
  })
}

async function readFacts(outFolder: string, release: string) {
  const tree = new FolderTree(outFolder)
  try {
    const manifest = await readManifest(tree, release)
    const { builtAtMs, corpus } = manifest
    const { clipCount, languages } = JSON.parse((await tree.read(corpus)).toString()) as Coverage
    const paths = filesOf(manifest).map((file) => join(outFolder, releasePath(release, file)))
    const stats = await Promise.all(paths.map((path) => stat(path)))
    return {
      builtAt: toDate(builtAtMs),
      clips: clipCount,
      words: languages.reduce((sum, { wordCount }) => sum + wordCount, 0),
      sizeBytes: stats.reduce((sum, { size }) => sum + size, 0),
      fault: null,
    }
  } catch (error) {
    return { builtAt: null, clips: null, words: null, sizeBytes: null, fault: (error as Error).message }
  }
}

const toldAtMost = 5

/**
 * Returns the id of the release that a person names by its id or its number.
 *
 * @throws {Refused} the tree has no such release, or more than one of this number
 */
export async function nameRelease(outFolder: string, idOrNumber: string): Promise<string> {
  const ids = await readReleaseIds(outFolder)
  if (ids.includes(idOrNumber)) return idOrNumber
  const matchingIds = /^\d+$/.test(idOrNumber)
    ? ids.filter((id) => releaseNumber(id) === Number(idOrNumber))
    : []
  if (matchingIds.length === 1) return matchingIds[0]!
  const newest = ids.slice(-toldAtMost).reverse()
  const idList =
    ids.length === 0
      ? 'It has no releases'
      : `Its releases are ${newest.join(', ')}` + (ids.length > toldAtMost ? ', …' : '')
  throw new Refused(`there is no release "${idOrNumber}" in "${outFolder}". ${idList}`)
}
