import { readCurrent } from '#release/release.ts'
import { folderTree, nullIfMissing } from '#release/tree.ts'

/**
 * The id of the release in service, or null if nothing was ever published.
 *
 * @throws {SyntaxError} `current.json` is malformed
 */
export async function readCurrentOrNull(outFolder: string): Promise<string | null> {
  return await nullIfMissing(readCurrent(folderTree(outFolder)))
}
