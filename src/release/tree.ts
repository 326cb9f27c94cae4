import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isNotFound } from '#kit/is-not-found.ts'
import { isPage, type PageDigest } from './page-digest.ts'

/** A published tree to read from. */
export interface Tree {
  /** Where it is, for messages. */
  location: string
  /** How often it is worth looking whether another release is current, in milliseconds. */
  followEveryMs: number
  /** How long to wait at most between looks while nothing is published, in milliseconds. */
  retryUpToMs: number
  /**
   * The bytes of a file, by its path from the root.
   *
   * @throws {MissingFile} when the tree has no such file
   * @throws {Error} when it cannot be read
   */
  read(path: string): Promise<Buffer>
  /**
   * As `read`, of a file whose bytes are known.
   *
   * @throws as `read`, and {DamagedFile} when these are not the right bytes
   */
  readChecked(path: string, isRight: (bytes: Uint8Array) => boolean): Promise<Buffer>
  /**
   * The bytes `from … to` of a page of a list, at once where the tree is in a folder: a few
   * kilobytes. The whole page is compared with its digest when it is first read, and in a folder
   * whenever its file has changed.
   *
   * @throws as `readChecked`, and {RangeError} when the file is shorter
   */
  readRange(path: string, from: number, to: number, digest: PageDigest): Buffer | Promise<Buffer>
  /**
   * The bytes of a large file in memory of their own, and their SHA-256 (hex), taken as they come:
   * nothing else waits for more than a piece. `expected` is the digest that they should have, where
   * it is known: by it they may be kept on disk. @throws as `read`
   */
  readDigested(path: string, expected?: string): Promise<Digested>
}

/** The bytes of a file and their SHA-256 (hex). */
export interface Digested {
  bytes: Uint8Array<ArrayBuffer>
  digest: string
}

/** How much is read and digested in one go: 2 ms of SHA-256. */
const pieceBytes = 4 * 1024 * 1024

/** The tree has no such file. */
export class MissingFile extends Error {
  override name = 'MissingFile'
}

/** A file of the tree is not what the release names. */
export class DamagedFile extends Error {
  override name = 'DamagedFile'

  constructor(path: string) {
    super(`cannot read "${path}": it is not what the release names`)
  }
}

/** A tree in a folder of this machine. */
export function folderTree(folder: string): Tree {
  // Paths of the tree need no tidying: `join` takes 0.8 µs over it, as much as reading a page does.
  const root = join(folder)
  const placeOf = (path: string) => `${root}/${path}`
  const checked: CheckedPages = new Map()
  const tell = (path: string, error: NodeJS.ErrnoException): never => {
    if (isNotFound(error)) throw new MissingFile(`no file "${path}" in "${folder}"`)
    throw error
  }
  const toldMissing = <T>(path: string, reading: Promise<T>): Promise<T> =>
    reading.catch((error: NodeJS.ErrnoException) => tell(path, error))
  return {
    location: folder,
    followEveryMs: 1_000,
    retryUpToMs: 1_000,
    read: (path) => toldMissing(path, readFile(placeOf(path))),
    async readChecked(path, isRight) {
      const bytes = await toldMissing(path, readFile(placeOf(path)))
      if (!isRight(bytes)) throw new DamagedFile(path)
      return bytes
    },
    readRange(path, from, to, digest) {
      try {
        return readRangeOf(placeOf(path), { path, from, to, digest }, checked)
      } catch (error) {
        return tell(path, error as NodeJS.ErrnoException)
      }
    },
    readDigested: (path) => toldMissing(path, readDigestedOf(placeOf(path))),
  }
}

/** By the path of a page, the change time of its file when its bytes were the right ones. */
type CheckedPages = Map<string, number>

/** About 4 MB of memory. */
const maxCheckedPages = 20_000

interface PageRange {
  path: string
  from: number
  to: number
  digest: PageDigest
}

/**
 * Waits for the disk where the system has not the file in memory: a tenth of a millisecond. By
 * promises the same takes 150 µs of CPU, three turns of the thread pool, where this takes 10.
 */
function readRangeOf(place: string, { path, from, to, digest }: PageRange, checked: CheckedPages): Buffer {
  const file = openSync(place, 'r')
  try {
    const { size, ctimeMs } = fstatSync(file)
    if (size < to) throw tooShort(path, from, to)
    if (checked.get(path) === ctimeMs) return readBytes(file, from, to)
    const page = readBytes(file, 0, size)
    if (!isPage(page, digest)) throw new DamagedFile(path)
    if (checked.size === maxCheckedPages) checked.clear()
    checked.set(path, ctimeMs)
    return page.subarray(from, to)
  } finally {
    closeSync(file)
  }
}

/**
 * Fewer bytes than wanted where the file has just been cut: their check, or what reads them, fails.
 */
function readBytes(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from)
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from))
}

export function tooShort(path: string, from: number, to: number): RangeError {
  return new RangeError(`cannot read the bytes ${from} to ${to} of "${path}": it is shorter`)
}

export async function readDigestedOf(path: string): Promise<Digested> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const bytes = new Uint8Array(size)
    const hash = createHash('sha256')
    for (let at = 0; at < size;) {
      const { bytesRead } = await handle.read(bytes, at, Math.min(pieceBytes, size - at), at)
      if (bytesRead === 0) break
      hash.update(bytes.subarray(at, at + bytesRead))
      at += bytesRead
    }
    return { bytes, digest: hash.digest('hex') }
  } finally {
    await handle.close()
  }
}
