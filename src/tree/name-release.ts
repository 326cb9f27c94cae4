import { findRelease, readReleaseIds } from '#release/release-ids.ts'
import { Refused } from './refused.ts'

const toldAtMost = 5

/**
 * The id of the release that a person names by its id or number.
 *
 * @throws {Refused} the tree has no such release
 */
export async function nameRelease(outFolder: string, named: string): Promise<string> {
  const ids = await readReleaseIds(outFolder)
  const found = findRelease(ids, named)
  if (found !== undefined) return found
  const newest = ids.slice(-toldAtMost).reverse()
  const told = ids.length === 0 ? 'none' : newest.join(', ') + (ids.length > toldAtMost ? ', …' : '')
  throw new Refused(`no release "${named}" in "${outFolder}": it has ${told}`)
}
