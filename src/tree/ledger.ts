import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readLines } from '#corpus/read-lines.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { ledgerPath } from '#release/paths.ts'
import type { Traits } from '#build/tokenised-clip.ts'

const formatName = 'clip-lookup ledger'
const formatVersion = 2

/** The first line. */
interface Head extends Omit<Ledger, 'entries'> {
  format: string
  version: number
}

/** What is known of a clip that was ever published. */
export interface LedgerEntry {
  clipId: string
  videoId: string
  language: string
  /** Its place in the feed's domain of the language: given once, never to another clip. */
  ordinal: number
  /** 1 for the first record, one more with every replacement. */
  revision: number
  /** The number of the release that it first was in. */
  firstRelease: number
  /** The source file it was last read from. */
  source: string
  /** Of the source clip that was published. */
  sourceDigest: string
  recordDigest: string
  transcriptDigest: string
  /** What re-indexing needs and the published transcript does not tell. */
  traits: Traits
  /** Its record and transcript were deleted while it was withdrawn: when it comes back it is published under its next name. */
  pruned?: true
  /** It is not in the last release. */
  withdrawn?: true
}

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
  /** Names under `data/` may be taken by a tree whose ledger is gone: none is given before it is known to be free. */
  inherited?: true
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
      const entry = parseLine(isEntry, text ?? '', line)
      ledger.entries.set(entry.clipId, entry)
    } else {
      const { tree, releases, release, ordinals, inherited } = parseLine(isHead, text ?? '', line)
      ledger = { tree, releases, release, ordinals, ...(inherited ? { inherited } : {}), entries: new Map() }
    }
  }
  return ledger ?? fail(1)
}

function parseLine<T>(isIt: (value: Partial<T>) => boolean, line: string, number: number): T {
  try {
    const value = JSON.parse(line) as Partial<T> | null
    return value !== null && isIt(value) ? (value as T) : fail(number)
  } catch {
    return fail(number)
  }
}

function isHead(head: Partial<Head>): boolean {
  return (
    head.format === formatName &&
    head.version === formatVersion &&
    typeof head.tree === 'string' &&
    Number.isInteger(head.releases) &&
    (head.release === null || typeof head.release === 'string') &&
    typeof head.ordinals === 'object'
  )
}

/** By hand, for there are as many as clips: a schema takes as long as all the rest of a night on which nothing came. */
function isEntry(entry: Partial<LedgerEntry>): boolean {
  return (
    texts.every((field) => typeof entry[field] === 'string') &&
    Number.isInteger(entry.ordinal) &&
    Number.isInteger(entry.revision) &&
    Number.isInteger(entry.firstRelease) &&
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
function* linesOf({ entries, ...head }: Ledger): Generator<string> {
  let piece = JSON.stringify({ format: formatName, version: formatVersion, ...head }) + '\n'
  for (const entry of entries.values()) {
    piece += JSON.stringify(entry) + '\n'
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  yield piece
}

const pieceLength = 1 << 20
