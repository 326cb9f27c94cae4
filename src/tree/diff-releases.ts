import type { NetChanges } from '#release/changes.ts'
import { openNamingTables } from '#release/named-files.ts'
import { folderTree } from '#release/tree.ts'
import { changesBetween } from './changes.ts'
import { nameRelease } from './name-release.ts'

/**
 * The changes from the first release to the second, as if one were built from the other. Each is
 * named by its id or number.
 *
 * @throws {Refused} there is no such release
 * @throws {MissingFile | SyntaxError} one of them cannot be opened
 */
export async function diffReleases(outFolder: string, from: string, to: string): Promise<NetChanges> {
  const open = async (named: string) => {
    const release = await nameRelease(outFolder, named)
    return { release, ...(await openNamingTables(folderTree(outFolder), release)) }
  }
  const { files: _, ...changes } = changesBetween(await open(from), await open(to))
  return changes
}
