import { z } from 'zod'
import { parseRecord } from '#corpus/parse-record.ts'
import { readManifest } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import { readCurrentOrNull } from './pointer.ts'
import { Refused } from './refused.ts'
import type { State } from './state.ts'

const entrySchema = z.object({
  clipId: z.string(),
  videoId: z.string(),
  language: z.string(),
  /** Its place in the feed of its language, never given to another clip. */
  ordinal: z.int(),
  /** 1 for the first record, one more for every replacement. */
  revision: z.int(),
  /** The number of the release that had it first. */
  firstRelease: z.int(),
  /** The source file that it was last read from. */
  source: z.string(),
  /** Of the source clip that was published. */
  sourceDigest: z.string(),
  recordDigest: z.string(),
  transcriptDigest: z.string(),
  /**
   * What re-indexing needs and the published transcript does not say. Only the build understands
   * it.
   */
  traits: z.custom<object>((value) => typeof value === 'object'),
  /**
   * Its record and transcript were deleted while it was withdrawn. If it returns, it is published
   * under its next name.
   */
  pruned: z.boolean(),
  /** It is not in the last release. */
  withdrawn: z.boolean(),
})
/** A clip that was ever published. */
export type LedgerEntry = z.infer<typeof entrySchema>

const formatName = 'clip-lookup ledger'
/** Raised when the format of the lines changes. */
const formatVersion = 1

const headSchema = z.object({
  format: z.literal(formatName),
  version: z.literal(formatVersion),
  /** The id of the tree; empty before the first release. */
  tree: z.string(),
  /** How many releases were built. */
  releases: z.int(),
  /**
   * The release in service: the one that `current.json` names, unless a process died just before it
   * could write that.
   */
  release: z.string().nullable(),
  /** The last release that was built. Only after a rollback it differs from the one in service. */
  latest: z.string().nullable(),
  /** By language, how many ordinals were given. */
  ordinals: z.record(z.string(), z.int()),
  /**
   * Names under `data/` may be taken by a tree whose ledger is lost: each is checked before it is
   * used.
   */
  inherited: z.literal(true).optional(),
  /** A rollback holds: new releases are not put in service. */
  held: z.literal(true).optional(),
})
/** The tree as a whole. */
export type LedgerHead = Omit<z.infer<typeof headSchema>, 'format' | 'version'> & {
  /**
   * Of the source and the rules that the last release is made of, if that is known. It is not
   * exported.
   */
  fingerprint?: string | null
}

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
 * @throws {Refused} it is the ledger of another tree
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
