import { z } from 'zod'
import { checkRecord, parseRecord, type Parsed } from '#corpus/problem.ts'
import { currentVersion, migrationsFrom } from '#kit/stored-format.ts'
import { readCurrent, readManifest } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { entrySchema, formatName, headSchema } from './ledger.ts'
import { ledgerFormat } from './ledger-format.ts'
import { refuseOldLedger } from './hold-tree.ts'
import { Refused } from './refused.ts'
import type { State } from './state.ts'

/** Yields the lines of a ledger: a head, then an entry for each clip. */
export function* ledgerRecords(state: State): Generator<object> {
  const { fingerprint: _, soundMs: __, ...head } = state.head
  yield { format: formatName, version: currentVersion(ledgerFormat), ...head }
  yield* state.entries()
}

/**
 * Replaces the ledger of a tree, completely or not at all. Returns the number of its clips.
 *
 * @throws {SyntaxError} a line is malformed
 * @throws {UnreadableVersion} the ledger has a version that this program does not read
 * @throws {Refused} it is the ledger of another tree, or older than the tree
 */
export async function importLedger(
  outFolder: string,
  state: State,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<number> {
  let line = 0
  let migrations: typeof ledgerFormat.migrations = []
  for await (const text of lines) {
    if (text === '') continue
    line++
    const fields = valueOf(parseRecord(fieldsSchema, text), line)
    if (line > 1) {
      const entry = migrations.reduce((before, migrate) => migrate.entry(before), fields)
      state.enter(valueOf(checkRecord(entrySchema, entry), line))
      continue
    }
    if (fields.format === formatName)
      migrations = migrationsFrom(ledgerFormat, fields.version, 'cannot read the ledger: it')
    const currentFields = migrations.reduce((before, migrate) => migrate.head(before), fields)
    const { format: _, version: __, ...head } = valueOf(checkRecord(headSchema, currentFields), line)
    const tree = state.head.tree || (await treeInService(outFolder))
    if (tree !== '' && head.tree !== tree)
      throw new Refused(`the ledger belongs to tree ${head.tree}, but "${outFolder}" is tree ${tree}`)
    await refuseOldLedger(outFolder, head)
    state.head = head
    state.db.exec('DELETE FROM clips')
  }
  if (line === 0) throw malformedLine(1)
  state.commit()
  return line - 1
}

const fieldsSchema = z.record(z.string(), z.unknown())

function valueOf<T>(result: Parsed<T>, lineNumber: number): T {
  if (result.ok) return result.value
  throw malformedLine(lineNumber)
}

function malformedLine(lineNumber: number): SyntaxError {
  return new SyntaxError(
    `cannot read the ledger: line ${lineNumber} is not in the format "${formatName}", version ${currentVersion(ledgerFormat)}`,
  )
}

/** Returns the tree of the release in service; empty if there is none that can be read. */
async function treeInService(outFolder: string): Promise<string> {
  try {
    const tree = new FolderTree(outFolder)
    return (await readManifest(tree, await readCurrent(tree))).tree
  } catch {
    return ''
  }
}
