import { z } from 'zod'

/** A line of a ledger behind the first. */
export const entrySchema = z.object({
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

export const formatName = 'clip-lookup ledger'

/** The first line of a ledger. */
export const headSchema = z.object({
  format: z.literal(formatName),
  version: z.int(),
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
  /** When the rollback began that holds: new releases are not put in service. */
  heldSince: z.iso.datetime().optional(),
})
/** The tree as a whole. */
export type LedgerHead = Omit<z.infer<typeof headSchema>, 'format' | 'version'> & {
  /**
   * Of the source and the rules that the last release is made of, if that is known. It is not
   * exported.
   */
  fingerprint?: string | null
  /**
   * When the last build ended and left every file sound, by the clock of the file system. It is not
   * exported.
   */
  soundMs?: number
}
