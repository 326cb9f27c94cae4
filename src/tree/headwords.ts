import { openNamingTables } from '#release/named-files.ts'
import { folderTree } from '#release/tree.ts'
import { nameRelease } from './name-release.ts'

/**
 * The headwords of words, by id, each from the first of the releases that has it.
 *
 * @throws {Refused} there is no such release
 * @throws {MissingFile | SyntaxError} one of them cannot be opened
 */
export async function headwords(
  outFolder: string,
  releases: readonly string[],
  wordIds: readonly number[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (const release of releases) {
    const { words } = await openNamingTables(folderTree(outFolder), await nameRelease(outFolder, release))
    for (const wordId of wordIds) {
      const row = words.find(wordId)
      if (row >= 0 && !found.has(wordId)) found.set(wordId, words.word(row))
    }
  }
  return found
}
