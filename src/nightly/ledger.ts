import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readLines } from '#corpus/read-lines.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { ledgerPath } from '#release/paths.ts'

const formatName = 'clip-lookup ledger'
const formatVersion = 1

const headSchema = z.strictObject({
  format: z.literal(formatName),
  version: z.literal(formatVersion),
  tree: z.string(),
  releases: z.int(),
  release: z.string().nullable().default(null),
  ordinals: z.record(z.string(), z.int()),
})

const entrySchema = z.strictObject({
  clipId: z.string(),
  videoId: z.string(),
  language: z.string(),
  /** Its place in the feed's domain of the language: given once, never to another clip. */
  ordinal: z.int(),
  /** 1 for the first record, one more with every replacement. */
  revision: z.int(),
  /** The source file it was last read from. */
  source: z.string(),
  /** Of the source clip that was published. */
  sourceDigest: z.string(),
  recordDigest: z.string(),
  transcriptDigest: z.string(),
  /** What re-indexing needs and the published transcript does not tell: by `cue.token`, the lemmas, and where sentences start inside cues. */
  lemmas: z.record(z.string(), z.string()).optional(),
  sentenceStarts: z.array(z.string()).optional(),
  /** Its record was deleted while it was withdrawn: when the clip comes back it is published anew, under its next revision. */
  pruned: z.literal(true).optional(),
})

/** What is known of a clip that was ever published. */
export type LedgerEntry = z.infer<typeof entrySchema>

/** What was published when: the memory of a tree. Without it a tree is a new one. */
export interface Ledger {
  /** The id of the tree. */
  tree: string
  /** How many releases were made. */
  releases: number
  /** The last of them: what `current.json` names, but where a build was killed just before it could say so. */
  release: string | null
  /** By language: how many ordinals have been given. */
  ordinals: Record<string, number>
  /** By clip id. */
  entries: Map<string, LedgerEntry>
}

/** The ledger of a tree nothing was published in, which has no id yet. */
export function newLedger(): Ledger {
  return { tree: '', releases: 0, release: null, ordinals: {}, entries: new Map() }
}

/** Gives the next ordinal of a language. */
export function nextOrdinal(ledger: Ledger, language: string): number {
  const ordinal = ledger.ordinals[language] ?? 0
  ledger.ordinals[language] = ordinal + 1
  return ordinal
}

/**
 * Reads the ledger of a tree; null where it has none.
 *
 * @throws {SyntaxError} when the file is no ledger, with the line
 */
export async function readLedger(outFolder: string): Promise<Ledger | null> {
  const path = join(outFolder, ledgerPath)
  if (!existsSync(path)) return null
  let ledger: Ledger | null = null
  for await (const { line, text } of readLines(path)) {
    if (text === '') continue
    if (ledger) {
      const entry = parseLine(entrySchema, text ?? '', line) as LedgerEntry
      ledger.entries.set(entry.clipId, entry)
    } else {
      const { tree, releases, release, ordinals } = parseLine(headSchema, text ?? '', line)
      ledger = { tree, releases, release, ordinals, entries: new Map() }
    }
  }
  return ledger ?? fail(1)
}

function parseLine<T>(schema: z.ZodType<T>, line: string, number: number): T {
  try {
    return schema.parse(JSON.parse(line))
  } catch {
    return fail(number)
  }
}

function fail(line: number): never {
  throw new SyntaxError(
    `cannot read "${ledgerPath}": line ${line} is not of ${formatName}, version ${formatVersion}`,
  )
}

/** Writes the ledger of a tree, whole or not at all: a head, then an entry a line. */
export async function writeLedger(outFolder: string, ledger: Ledger): Promise<void> {
  await atomicWrite(join(outFolder, ledgerPath), linesOf(ledger), { sync: true })
}

/** A million entries are no text that fits in one: they go out in pieces. */
function* linesOf({ tree, releases, release, ordinals, entries }: Ledger): Generator<string> {
  let piece =
    JSON.stringify({ format: formatName, version: formatVersion, tree, releases, release, ordinals }) + '\n'
  for (const entry of entries.values()) {
    piece += JSON.stringify(entry) + '\n'
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  yield piece
}

const pieceLength = 1 << 20
