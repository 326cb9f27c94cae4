import type { Problem } from '#corpus/problem.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { PostingsTable } from '#release/postings/reader.ts'
import { WordTable } from '#release/words/reader.ts'
import type { Manifest } from '#release/manifest.ts'
import { openTableOf, readManifest } from '#release/release.ts'
import { folderTree, MissingFile } from '#release/tree.ts'
import { rowOf } from '#tree/changes.ts'
import { readCurrentOrNull } from '#tree/current.ts'
import type { State } from '#tree/state.ts'

/** The clips of a release. */
export interface LiveClips {
  count: number
  /** The revision of the record that a clip has in the release; 0 where the release has it not. */
  revisionOf(clipId: string): number
}

/** The last release that was made. */
export interface ReleaseBefore {
  live: LiveClips
  /** null where there is none to go on from. */
  opened: OpenedBefore | null
  /**
   * The release in service where the state does not know of it: it is that of another tree, whose
   * ledger is gone.
   */
  foreign: string | null
  /** Why the last release cannot be gone on from; null where nothing is wrong with it. */
  fault: Problem | null
}

/** What a build goes on from. */
export interface OpenedBefore {
  manifest: Manifest
  clips: ClipTable
  words: WordTable
  postings: PostingsTable
}

/**
 * Reads the last release of a tree: that in service, but where a rollback holds. One that has lost
 * a file, was altered or is of another format version serves nobody: what was in it is then told by
 * the ledger, and the build makes one anew.
 *
 * @throws {SyntaxError} `current.json` is not what it should be
 */
export async function readReleaseBefore(outFolder: string, state: State): Promise<ReleaseBefore> {
  const { head } = state
  const nothing = { live: liveInLedger(state), opened: null, foreign: null, fault: null }
  const id = head.latest ?? (await readCurrentOrNull(outFolder))
  if (id === null) return nothing
  try {
    const opened = await openBefore(outFolder, id)
    if (opened.manifest.tree !== head.tree) return { ...nothing, foreign: id }
    return { ...nothing, live: liveInTable(opened.clips), opened }
  } catch (error) {
    if (!(error instanceof MissingFile || error instanceof SyntaxError)) throw error
    const reason = `cannot be continued, so the release is built from the start: ${error.message}`
    // Without a ledger what is there is another tree's, whatever it says.
    return { ...nothing, foreign: head.tree === '' ? id : null, fault: { file: `releases/${id}`, reason } }
  }
}

async function openBefore(outFolder: string, id: string): Promise<OpenedBefore> {
  const tree = folderTree(outFolder)
  const manifest = await readManifest(tree, id)
  return {
    manifest,
    clips: await openTableOf(tree, manifest, 'clips.bin', ClipTable),
    words: await openTableOf(tree, manifest, 'words.bin', WordTable),
    postings: await openTableOf(tree, manifest, 'postings.bin', PostingsTable),
  }
}

function liveInTable(clips: ClipTable): LiveClips {
  let count = 0
  for (const _ of clips.liveRows()) count++
  return {
    count,
    revisionOf(clipId) {
      const row = rowOf(clips, clipId)
      return row < 0 ? 0 : clips.revision(row)
    },
  }
}

function liveInLedger(state: State): LiveClips {
  const rows = state.rows<{ clipId: string; revision: number }>(
    'SELECT clipId, revision FROM clips WHERE NOT withdrawn',
  )
  const revisions = new Map<string, number>()
  for (const { clipId, revision } of rows) revisions.set(clipId, revision)
  return { count: revisions.size, revisionOf: (clipId) => revisions.get(clipId) ?? 0 }
}
