import { openNamingTables } from '#release/named-files.ts'
import { folderTree } from '#release/tree.ts'
import { changesBetween } from './changes.ts'
import { nameRelease } from './name-release.ts'

/**
 * The changes from the first release to the second, as if one were built from the other, and the
 * headwords of words in them by id. Each release is named by its id or number.
 *
 * @throws {Refused} there is no such release
 * @throws {MissingFile | SyntaxError} one of them cannot be opened
 */
export async function diffReleases(outFolder: string, from: string, to: string) {
  const open = async (named: string) => {
    const release = await nameRelease(outFolder, named)
    return { release, ...(await openNamingTables(folderTree(outFolder), release)) }
  }
  const [before, after] = [await open(from), await open(to)]
  const { files: _, ...changes } = changesBetween(before, after)
  const headwordOf = (wordId: number): string => {
    const { words } = after.words.find(wordId) < 0 ? before : after
    return words.word(words.find(wordId))
  }
  return { changes, headwordOf }
}
