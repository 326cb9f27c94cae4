import type { Problem } from '#corpus/problem.ts'
import { ClipTable } from '#release/clips/reader.ts'
import type { Manifest } from '#release/manifest.ts'
import { PostingsTable } from '#release/postings/table.ts'
import { openTableOf, readCurrent, readManifest } from '#release/release.ts'
import { folderTree, MissingFile } from '#release/tree.ts'
import { WordTable } from '#release/words/reader.ts'
import type { Ledger } from '#tree/ledger.ts'

/** What the tree has in service. */
export interface ReleaseBefore {
  /** The ids of its clips, each with the revision of its record. */
  live: ReadonlyMap<string, number>
  /** null where there is none to go on from. */
  opened: OpenedBefore | null
  /** The release in service where the ledger does not know of it: it is that of another tree, whose ledger is gone. */
  foreign: string | null
  /** Why the release in service cannot be gone on from; null where nothing is wrong with it. */
  fault: Problem | null
}

/** What a build goes on from. */
export interface OpenedBefore {
  manifest: Manifest
  clips: ClipTable
  words: WordTable
  postings: PostingsTable
}

const nothing: ReleaseBefore = { live: new Map(), opened: null, foreign: null, fault: null }

/**
 * Reads the release that a tree has in service. One that has lost a file, was altered or is of another format version serves nobody: what was in it is then told
 * by the ledger, and the build makes one anew.
 *
 * @throws {SyntaxError} `current.json` is not what it should be
 */
export async function readReleaseBefore(outFolder: string, ledger: Ledger): Promise<ReleaseBefore> {
  const id = await readCurrentOrNull(outFolder)
  if (id === null) return { ...nothing, live: lastLive(ledger) }
  try {
    return await readRelease(outFolder, id, ledger.tree)
  } catch (error) {
    if (!(error instanceof MissingFile || error instanceof SyntaxError)) throw error
    const fault = {
      file: `releases/${id}`,
      reason: `cannot be gone on from, so the release is made anew: ${error.message}`,
    }
    // Without a ledger what is there is another tree's, whatever it says.
    return { ...nothing, live: lastLive(ledger), foreign: ledger.tree === '' ? id : null, fault }
  }
}

function lastLive({ entries }: Ledger): Map<string, number> {
  const live = [...entries.values()].filter(({ withdrawn }) => !withdrawn)
  return new Map(live.map(({ clipId, revision }) => [clipId, revision]))
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
  const live = new Map(clips.liveRows().map((row) => [clips.clipId(row), clips.revision(row)]))
  return { ...nothing, live, opened: { manifest, clips, words, postings } }
}
