import { readManifest } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import { readCurrentOrNull } from './pointer.ts'
import { parseEntry, parseHead } from './ledger.ts'
import { Refused } from './refused.ts'
import type { State } from './state.ts'

/**
 * Replaces the ledger of a tree, whole or not at all. Returns how many clips it has.
 *
 * @throws {SyntaxError} a line is malformed
 * @throws {Refused} it is the ledger of another tree
 */
export async function importLedger(
  outFolder: string,
  state: State,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<number> {
  const known = state.head.tree
  let line = 0
  for await (const text of lines) {
    if (text === '') continue
    line++
    if (line > 1) {
      state.enter(parseEntry(text, line))
      continue
    }
    state.head = parseHead(text)
    const tree = known || (await treeInService(outFolder))
    if (tree !== '' && state.head.tree !== tree)
      throw new Refused(`the ledger belongs to tree ${state.head.tree}, but "${outFolder}" is tree ${tree}`)
    state.db.exec('DELETE FROM clips')
  }
  if (line === 0) parseHead('')
  state.commit()
  return line - 1
}

/** The tree of the release in service; empty if there is none that can be read. */
async function treeInService(outFolder: string): Promise<string> {
  try {
    const release = await readCurrentOrNull(outFolder)
    return release === null ? '' : (await readManifest(folderTree(outFolder), release)).tree
  } catch {
    return ''
  }
}
