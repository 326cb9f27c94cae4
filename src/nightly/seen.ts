import { existsSync } from 'node:fs'
import { stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { readLines } from '#corpus/read-lines.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { seenPath } from '#release/paths.ts'
import type { Found } from './found.ts'

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

/** Reads what the build before saw; nothing where there is nothing that can be trusted. */
export async function readSeen(outFolder: string): Promise<Seen> {
  const nothing: Seen = { byFile: new Map(), startedNs: 0n }
  const path = join(outFolder, seenPath)
  if (!existsSync(path)) return nothing
  const { mtimeNs } = await stat(path, { bigint: true })
  const byFile = new Map<string, SeenFile>()
  let found: Found[] = []
  try {
    for await (const { line, text } of readLines(path)) {
      const value = JSON.parse(text ?? '') as Partial<Head & FileLine>
      if (line === 1) {
        if (value.format !== formatName || value.version !== formatVersion) return nothing
      } else if (value.file === undefined) {
        found.push(value as Found)
      } else {
        byFile.set(value.file, { stamp: value.stamp!, found: (found = []) })
      }
    }
  } catch (error) {
    if (error instanceof SyntaxError) return nothing
    throw error
  }
  return { byFile, startedNs: mtimeNs }
}

/** The first line. */
interface Head {
  format: string
  version: number
}

/** A source file; behind it comes a line for each of its texts. */
interface FileLine {
  file: string
  stamp: string
}

/** Writes what this build saw, to be moved into its place. */
export async function writeSeen(path: string, { byFile, startedNs }: Seen): Promise<void> {
  await atomicWrite(path, linesOf(byFile), { sync: false })
  const startedS = Number(startedNs / 1_000_000n) / 1000
  await utimes(path, startedS, startedS)
}

function* linesOf(byFile: Seen['byFile']): Generator<string> {
  let piece = `${JSON.stringify({ format: formatName, version: formatVersion } satisfies Head)}\n`
  for (const [file, { stamp, found }] of byFile) {
    piece += `${JSON.stringify({ file, stamp } satisfies FileLine)}\n`
    for (const each of found) piece += `${JSON.stringify(each)}\n`
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  yield piece
}

const pieceLength = 1 << 20
