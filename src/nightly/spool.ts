import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  truncate,
} from 'node:fs'
import { join } from 'node:path'
import type { SoundText } from './source-text.ts'

/**
 * The spool has lines on their way from clips to the lists of words and the segments of the
 * sentence index: added by each worker of the build, in any order, and read bucket by bucket. They
 * go through files, one per bucket and worker, so that memory holds one bucket and not the corpus.
 * Lines are byte texts, because most are only moved and never decoded. Beside them, each worker
 * keeps the normalised content of the source clips that it has checked, until they are published.
 */

/** Lines by bucket. */
export type Lines = Map<string | number, string[]>

/** Adds lines to the files of their buckets. */
export function addLines(folder: string, worker: number, lines: Lines): void {
  mkdirSync(folder, { recursive: true })
  for (const [bucket, texts] of lines)
    appendFileSync(pathOf(folder, bucket, worker), `${texts.join('\n')}\n`, 'latin1')
}

/** Takes the lines of a bucket, of all workers, as byte texts. The files are emptied. */
export function* takeLines(folder: string, bucket: string | number, workers: number): Generator<string> {
  for (let worker = 0; worker < workers; worker++) {
    const path = pathOf(folder, bucket, worker)
    if (!existsSync(path)) continue
    yield* readFileSync(path, 'latin1').trimEnd().split('\n')
    emptySpool(folder, bucket, worker)
  }
}

/** Keeps texts end to end behind those that the worker has kept before. */
export function keepTexts(folder: string, worker: number, texts: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  appendFileSync(pathOf(folder, 'kept', worker), texts.join(''))
}

/** Reads the bytes `from … to` of what a worker keeps. */
export function readKept(folder: string, kept: SoundText['kept']): string {
  const descriptor = openSync(pathOf(folder, 'kept', kept.worker), 'r')
  try {
    const bytes = Buffer.allocUnsafe(kept.to - kept.from)
    if (readSync(descriptor, bytes, 0, bytes.length, kept.from) === bytes.length) return bytes.toString()
    throw new Error(`cannot read what worker ${kept.worker} keeps: it ends before byte ${kept.to}`)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Empties a file, so that what is not on the disk yet need not be written. It is not deleted until
 * the build ends: ext4 skips the inodes of recently deleted files one by one whenever it creates a
 * file. Not awaited, because it may wait for the disk; if it fails, the file stays until then.
 */
export function emptySpool(folder: string, bucket: string | number, worker: number): void {
  truncate(pathOf(folder, bucket, worker), () => {})
}

function pathOf(folder: string, bucket: string | number, worker: number): string {
  return join(folder, `${bucket}.${worker}`)
}
