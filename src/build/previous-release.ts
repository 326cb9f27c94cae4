import type { Problem } from '#corpus/problem.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import { folderTree, MissingFile } from '#release/tree.ts'
import { rowOf } from '#tree/changes.ts'
import { readCurrentOrNull } from '#tree/current.ts'
import { openIndexTables, type IndexTables } from '#tree/index-tables.ts'
import type { State } from '#tree/state.ts'

/** The clips of a release. */
export interface LiveClips {
  count: number
  /** The revision of the record that a clip has in the release; 0 if the release lacks the clip. */
  revisionOf(clipId: string): number
}

/** The last release that was built. */
export interface PreviousRelease {
  live: LiveClips
  /** null if there is none to build on. */
  opened: IndexTables | null
  /**
   * The release in service, if the state does not know it because the ledger of its tree is lost.
   */
  foreign: string | null
  /** Why the last release cannot be built on; null if nothing is wrong with it. */
  fault: Problem | null
}

/**
 * Reads the last release of a tree: the one in service, unless a rollback holds. If it has lost a
 * file, was altered or is of another format version, the ledger says what was in it, and the build
 * starts from scratch.
 *
 * @throws {SyntaxError} `current.json` is malformed
 */
export async function readPreviousRelease(outFolder: string, state: State): Promise<PreviousRelease> {
  const { head } = state
  const nothing = { live: liveInLedger(state), opened: null, foreign: null, fault: null }
  const id = head.latest ?? (await readCurrentOrNull(outFolder))
  if (id === null) return nothing
  try {
    const opened = await openIndexTables(folderTree(outFolder), id)
    if (opened.manifest.tree !== head.tree) return { ...nothing, foreign: id }
    return { ...nothing, live: liveInTable(opened.clips), opened }
  } catch (error) {
    if (!(error instanceof MissingFile || error instanceof SyntaxError)) throw error
    const reason = `cannot be continued, so the release is built from the start: ${error.message}`
    // Without a ledger, what is there belongs to another tree.
    return { ...nothing, foreign: head.tree === '' ? id : null, fault: { file: `releases/${id}`, reason } }
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
