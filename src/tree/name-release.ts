import { releaseNumber } from '#release/paths.ts'
import { readReleaseIds } from '#release/release-ids.ts'
import { Refused } from './refused.ts'

const toldAtMost = 5

/**
 * The id of the release that a person names by its id or its number.
 *
 * @throws {Refused} the tree has no such release, or more than one of this number
 */
export async function nameRelease(outFolder: string, named: string): Promise<string> {
  const ids = await readReleaseIds(outFolder)
  if (ids.includes(named)) return named
  const found = /^\d+$/.test(named) ? ids.filter((id) => releaseNumber(id) === Number(named)) : []
  if (found.length === 1) return found[0]!
  const newest = ids.slice(-toldAtMost).reverse()
  const told = ids.length === 0 ? 'none' : newest.join(', ') + (ids.length > toldAtMost ? ', …' : '')
  throw new Refused(`no release "${named}" in "${outFolder}": it has ${told}`)
}
