import { ClipTable } from '#release/clip-table.ts'
import type { Manifest } from '#release/manifest.ts'
import { PostingsTable } from '#release/postings-table.ts'
import { openTableOf, readCurrent, readManifest } from '#release/release.ts'
import { folderTree, MissingFile } from '#release/tree.ts'
import { WordTable } from '#release/word-table.ts'

/** What the tree has in service. */
export interface ReleaseBefore {
  /** null for a tree that nothing was published in. */
  manifest: Manifest | null
  /** The ids of its clips. */
  live: ReadonlySet<string>
  tables: { clips: ClipTable; words: WordTable; postings: PostingsTable } | null
  /** The release in service where the ledger does not know of it: it is that of another tree, whose ledger is gone. */
  foreign: string | null
}

const nothing: ReleaseBefore = { manifest: null, live: new Set(), tables: null, foreign: null }

/**
 * Reads the release that a tree has in service.
 *
 * `treeId` is that of the ledger.
 *
 * @throws {SyntaxError} it is not what it should be
 */
export async function readReleaseBefore(outFolder: string, treeId: string): Promise<ReleaseBefore> {
  const id = await readCurrentOrNull(outFolder)
  if (id === null) return nothing
  try {
    return await readRelease(outFolder, id, treeId)
  } catch (error) {
    // A release that has lost a file serves nobody: the build makes one anew.
    if (error instanceof MissingFile) return nothing
    throw error
  }
}

/** The id of the release in service, null where nothing was ever published. */
export async function readCurrentOrNull(outFolder: string): Promise<string | null> {
  try {
    return await readCurrent(folderTree(outFolder))
  } catch (error) {
    if (error instanceof MissingFile) return null
    throw error
  }
}

async function readRelease(outFolder: string, id: string, treeId: string): Promise<ReleaseBefore> {
  const tree = folderTree(outFolder)
  const manifest = await readManifest(tree, id)
  if (manifest.tree !== treeId) return { ...nothing, foreign: id }
  const clips = await openTableOf(tree, manifest, 'clips.bin', ClipTable)
  const words = await openTableOf(tree, manifest, 'words.bin', WordTable)
  const postings = await openTableOf(tree, manifest, 'postings.bin', PostingsTable)
  const live = new Set(clips.liveRows().map((row) => clips.clipId(row)))
  return { manifest, live, tables: { clips, words, postings }, foreign: null }
}
