import { z } from 'zod'

/** A line of a ledger after the first. */
export const entrySchema = z.object({
  clipId: z.string(),
  videoId: z.string(),
  language: z.string(),
  /** Its position in the feed of its language, never assigned to another clip. */
  ordinal: z.int(),
  /** 1 for the first record, increased with every replacement. */
  revision: z.int(),
  /** The number of the first release that contained it. */
  firstRelease: z.int(),
  /** The source file from which it was last read. */
  source: z.string(),
  /** The digest of the source clip that was published. */
  sourceDigest: z.string(),
  recordDigest: z.string(),
  transcriptDigest: z.string(),
  /** The data for re-indexing that a transcript does not contain. Only the build reads it. */
  traits: z.custom<object>((value) => typeof value === 'object'),
  /**
   * Whether its files were deleted while it was withdrawn. If it returns, it gets its next name.
   */
  pruned: z.boolean(),
  /** Whether it is missing from the last release. */
  withdrawn: z.boolean(),
})
/** A clip that was ever published. */
export type LedgerEntry = z.infer<typeof entrySchema>

export const formatName = 'clip-lookup ledger'

/** The first line of a ledger. */
export const headSchema = z.object({
  format: z.literal(formatName),
  version: z.int(),
  /** The id of the tree; empty before the first release. */
  tree: z.string(),
  /** The number of releases that were built. */
  releases: z.int(),
  /** The release in service. `current.json` names it, unless a process died before writing it. */
  release: z.string().nullable(),
  /** The last release that was built. It differs from the one in service only after a rollback. */
  latest: z.string().nullable(),
  /** The number of assigned ordinals, keyed by language. */
  ordinals: z.record(z.string(), z.int()),
  /** Whether names under `data/` may belong to a tree with a lost ledger, so each is checked. */
  inherited: z.literal(true).optional(),
  /** The start of the current rollback, during which new releases are not put in service. */
  heldSince: z.iso.datetime().optional(),
})
/** The tree as a whole. */
export type LedgerHead = Omit<z.infer<typeof headSchema>, 'format' | 'version'> & {
  /** A digest of the source and the rules of the last release, if known. It is not exported. */
  fingerprint?: string | null
  /**
   * The time at which the last build ended and left every file undamaged, by the clock of the file
   * system. It is not exported.
   */
  soundMs?: number
}
