import { readCurrent } from '#release/release.ts'
import { folderTree, MissingFile } from '#release/tree.ts'

/**
 * The id of the release in service, or null if nothing was ever published.
 *
 * @throws {SyntaxError} `current.json` is malformed
 */
export async function readCurrentOrNull(outFolder: string): Promise<string | null> {
  try {
    return await readCurrent(folderTree(outFolder))
  } catch (error) {
    if (error instanceof MissingFile) return null
    throw error
  }
}
