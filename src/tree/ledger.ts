import { z } from 'zod'

/** A clip that was ever published. */
export interface LedgerEntry {
  clipId: string
  videoId: string
  language: string
  /** Its place in the feed of its language, never given to another clip. */
  ordinal: number
  /** 1 for the first record, one more for every replacement. */
  revision: number
  /** The number of the release that had it first. */
  firstRelease: number
  /** The source file that it was last read from. */
  source: string
  /** Of the source clip that was published. */
  sourceDigest: string
  recordDigest: string
  transcriptDigest: string
  /**
   * What re-indexing needs and the published transcript does not say. Only the build understands
   * it.
   */
  traits: object
  /**
   * Its record and transcript were deleted while it was withdrawn. If it returns, it is published
   * under its next name.
   */
  pruned?: true
  /** It is not in the last release. */
  withdrawn?: true
}

/** The tree as a whole. */
export interface LedgerHead {
  /** The id of the tree; empty before the first release. */
  tree: string
  /** How many releases were built. */
  releases: number
  /**
   * The release in service: the one that `current.json` names, unless a process died just before it
   * could write that.
   */
  release: string | null
  /** The last release that was built. Only after a rollback it differs from the one in service. */
  latest: string | null
  /** By language, how many ordinals were given. */
  ordinals: Record<string, number>
  /**
   * Names under `data/` may be taken by a tree whose ledger is lost: each is checked before it is
   * used.
   */
  inherited?: true
  /** A rollback holds: new releases are not put in service. */
  held?: true
}

const formatName = 'clip-lookup ledger'
/** Raised when the format of the lines changes. Version 2 had no `latest` and no `held`. */
const formatVersion = 3

const headSchema = z.object({
  format: z.literal(formatName),
  version: z.union([z.literal(2), z.literal(formatVersion)]),
  tree: z.string(),
  releases: z.int(),
  release: z.string().nullable(),
  latest: z.string().nullish(),
  ordinals: z.record(z.string(), z.int()),
  inherited: z.literal(true).optional(),
  held: z.literal(true).optional(),
})

/** The lines of a ledger: a head, then an entry for each clip. */
export function* ledgerRecords(state: {
  head: LedgerHead
  entries(): Iterable<LedgerEntry>
}): Generator<object> {
  yield { format: formatName, version: formatVersion, ...state.head }
  yield* state.entries()
}

/** Parses the first line of a ledger. @throws {SyntaxError} it is no head */
export function parseHead(text: string): LedgerHead {
  const result = headSchema.safeParse(parseJson(text))
  if (!result.success) return fail(1)
  const { format: _, version: __, latest, ...head } = result.data
  return { ...head, latest: latest ?? head.release }
}

/** Parses an entry from its line. @throws {SyntaxError} it is none */
export function parseEntry(text: string, lineNumber: number): LedgerEntry {
  const entry = parseJson(text) as Partial<LedgerEntry> | null
  return entry !== null && isEntry(entry) ? entry : fail(lineNumber)
}

/** Checked by hand because there are as many as clips. */
function isEntry(entry: Partial<LedgerEntry>): entry is LedgerEntry {
  return (
    texts.every((field) => typeof entry[field] === 'string') &&
    numbers.every((field) => Number.isInteger(entry[field])) &&
    typeof entry.traits === 'object'
  )
}

const texts = [
  'clipId',
  'videoId',
  'language',
  'source',
  'sourceDigest',
  'recordDigest',
  'transcriptDigest',
] as const
const numbers = ['ordinal', 'revision', 'firstRelease'] as const

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function fail(lineNumber: number): never {
  throw new SyntaxError(
    `cannot read the ledger: line ${lineNumber} is not of ${formatName}, version ${formatVersion}`,
  )
}
