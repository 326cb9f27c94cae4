import type { NetChanges } from '#release/changes.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import { PostingsTable } from '#release/postings/reader.ts'
import { openNamingTables, type NamingTables } from '#release/named-files.ts'
import { openTableOf } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import { changesBetween, indexedRelease, rowOf, type ClipChanges, type IndexedRelease } from './changes.ts'
import { nameRelease } from './name-release.ts'

/**
 * The changes from the first release to the second, as if one were built from the other. Each is
 * named by its id or number.
 *
 * @throws {Refused} there is no such release
 * @throws {MissingFile | SyntaxError} one of them cannot be opened
 */
export async function diffReleases(outFolder: string, from: string, to: string): Promise<NetChanges> {
  const before = await open(outFolder, from)
  const after = await open(outFolder, to)
  return changesBetween(indexed(before), indexed(after), clipChanges(before.clips, after.clips))
}

interface Opened extends NamingTables {
  postings: PostingsTable
}

async function open(outFolder: string, named: string): Promise<Opened> {
  const tree = folderTree(outFolder)
  const tables = await openNamingTables(tree, await nameRelease(outFolder, named))
  return { ...tables, postings: await openTableOf(tree, tables.manifest, 'postings.bin', PostingsTable) }
}

function indexed(opened: Opened): IndexedRelease {
  return indexedRelease(opened.manifest.release, opened)
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
