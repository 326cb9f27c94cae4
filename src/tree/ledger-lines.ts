import type { z } from 'zod'
import { parseRecord } from '#corpus/problem.ts'
import { readManifest } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import { entrySchema, formatName, formatVersion, headSchema } from './ledger.ts'
import { refuseOldLedger } from './hold-tree.ts'
import { readCurrentOrNull } from './pointer.ts'
import { Refused } from './refused.ts'
import type { State } from './state.ts'

/** The lines of a ledger: a head, then an entry for each clip. */
export function* ledgerRecords(state: State): Generator<object> {
  const { fingerprint: _, ...head } = state.head
  yield { format: formatName, version: formatVersion, ...head }
  yield* state.entries()
}

/**
 * Replaces the ledger of a tree, whole or not at all. Returns how many clips it has.
 *
 * @throws {SyntaxError} a line is malformed
 * @throws {Refused} it is the ledger of another tree, or older than the tree
 */
export async function importLedger(
  outFolder: string,
  state: State,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<number> {
  let line = 0
  for await (const text of lines) {
    if (text === '') continue
    line++
    if (line > 1) {
      state.enter(parseLine(entrySchema, text, line))
      continue
    }
    const { format: _, version: __, ...head } = parseLine(headSchema, text, line)
    const tree = state.head.tree || (await treeInService(outFolder))
    if (tree !== '' && head.tree !== tree)
      throw new Refused(`the ledger belongs to tree ${head.tree}, but "${outFolder}" is tree ${tree}`)
    await refuseOldLedger(outFolder, head)
    state.head = head
    state.db.exec('DELETE FROM clips')
  }
  if (line === 0) parseLine(headSchema, '', 1)
  state.commit()
  return line - 1
}

function parseLine<T>(schema: z.ZodType<T>, text: string, lineNumber: number): T {
  const parsed = parseRecord(schema, text)
  if (parsed.ok) return parsed.value
  throw new SyntaxError(
    `cannot read the ledger: line ${lineNumber} is not of ${formatName}, version ${formatVersion}`,
  )
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
