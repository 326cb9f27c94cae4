import { existsSync } from 'node:fs'
import { stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { readLines } from '#corpus/read-lines.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { seenPath } from '#release/paths.ts'
import type { Found } from '#build/found.ts'

/** What a source file held when it was last read. */
export interface SeenFile {
  /** That of the file (`ClipFile`). */
  stamp: string
  found: Found[]
}

/** What a build saw of the source. It saves reading what was read: without it a night takes longer and comes to the same. */
export interface Seen {
  byFile: Map<string, SeenFile>
  /** When that build began, in nanoseconds since the epoch: the time of the file, so that its bytes tell of the source alone. */
  startedNs: bigint
}

const formatName = 'clip-lookup seen'
/** Raised when a clip is taken for sound or faulty by other rules, or digested another way. */
const formatVersion = 1

/** Reads what the build before saw; nothing where there is nothing that can be trusted: the file tells how much it holds, and what is short of that is no part of it. */
export async function readSeen(outFolder: string): Promise<Seen> {
  const nothing: Seen = { byFile: new Map(), startedNs: 0n }
  const path = join(outFolder, seenPath)
  if (!existsSync(path)) return nothing
  const { mtimeNs } = await stat(path, { bigint: true })
  try {
    const byFile = await parseSeen(path)
    return byFile ? { byFile, startedNs: mtimeNs } : nothing
  } catch (error) {
    if (error instanceof SyntaxError) return nothing
    throw error
  }
}

/** null where it is another format, or not whole. */
async function parseSeen(path: string): Promise<Seen['byFile'] | null> {
  const byFile = new Map<string, SeenFile>()
  let files = -1
  let open: { found: Found[]; texts: number } = { found: [], texts: 0 }
  for await (const { text } of readLines(path)) {
    const value = JSON.parse(text ?? '') as Partial<Head & FileLine> | null
    if (files < 0) {
      if (value?.format !== formatName || value.version !== formatVersion) return null
      files = value.files!
    } else if (typeof value?.file === 'string') {
      if (open.found.length !== open.texts) return null
      open = { found: [], texts: value.texts! }
      byFile.set(value.file, { stamp: value.stamp!, found: open.found })
    } else {
      open.found.push(value as Found)
    }
  }
  return byFile.size === files && open.found.length === open.texts ? byFile : null
}

/** The first line. */
interface Head {
  format: string
  version: number
  /** How many files there are. */
  files: number
}

/** A source file; behind it comes a line for each of its texts. */
interface FileLine {
  file: string
  stamp: string
  texts: number
}

/** Writes what this build saw, to be moved into its place. */
export async function writeSeen(path: string, { byFile, startedNs }: Seen): Promise<void> {
  await atomicWrite(path, linesOf(byFile), { sync: false })
  const startedS = Number(startedNs / 1_000_000n) / 1000
  await utimes(path, startedS, startedS)
}

function* linesOf(byFile: Seen['byFile']): Generator<string> {
  let piece = `${JSON.stringify({ format: formatName, version: formatVersion, files: byFile.size } satisfies Head)}\n`
  for (const [file, { stamp, found }] of byFile) {
    piece += `${JSON.stringify({ file, stamp, texts: found.length } satisfies FileLine)}\n`
    for (const each of found) piece += `${JSON.stringify(each)}\n`
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  yield piece
}

const pieceLength = 1 << 20
