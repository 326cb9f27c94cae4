import type { NetChanges } from '#release/changes.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import { folderTree } from '#release/tree.ts'
import { changesBetween, indexedRelease, rowOf, type ClipChanges } from './changes.ts'
import { openIndexTables } from './index-tables.ts'
import { nameRelease } from './name-release.ts'

/**
 * The changes from the first release to the second, as if one were built from the other. Each is
 * named by its id or number.
 *
 * @throws {Refused} there is no such release
 * @throws {MissingFile | SyntaxError} one of them cannot be opened
 */
export async function diffReleases(outFolder: string, from: string, to: string): Promise<NetChanges> {
  const open = async (named: string) =>
    await openIndexTables(folderTree(outFolder), await nameRelease(outFolder, named))
  const before = await open(from)
  const after = await open(to)
  return changesBetween(
    indexedRelease(before.manifest.release, before),
    indexedRelease(after.manifest.release, after),
    clipChanges(before.clips, after.clips),
  )
}

/** A clip counts as changed if its record or transcript differs. */
function clipChanges(before: ClipTable, after: ClipTable): ClipChanges {
  const changes: ClipChanges = { added: [], replaced: [], withdrawn: [] }
  for (const row of after.liveRows()) {
    const clipId = after.clipId(row)
    const old = rowOf(before, clipId)
    if (old < 0) changes.added.push(clipId)
    else if (!isSameFile(before, old, after, row)) changes.replaced.push(clipId)
  }
  for (const row of before.liveRows()) {
    const clipId = before.clipId(row)
    if (rowOf(after, clipId) < 0) changes.withdrawn.push(clipId)
  }
  return changes
}

function isSameFile(before: ClipTable, old: number, after: ClipTable, row: number): boolean {
  const [record, other] = [before.recordFile(old), after.recordFile(row)]
  return (
    record.path === other.path &&
    record.digest === other.digest &&
    before.transcriptFile(old).digest === after.transcriptFile(row).digest
  )
}
