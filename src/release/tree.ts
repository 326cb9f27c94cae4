import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { explainSystemError, isSystemError } from '#kit/explain-system-error.ts'
import { isNotFound } from '#kit/not-found.ts'
import { currentPath } from './paths.ts'

/** A published tree to read from. */
export interface Tree {
  /** Where it is, for messages. */
  location: string
  /** The folder that it is in, if it is on this machine. */
  folder?: string
  /** How often to check whether another release is current, in milliseconds. */
  followEveryMs: number
  /** The longest wait between checks while nothing is published, in milliseconds. */
  retryUpToMs: number
  /**
   * When the pointer was last written, in milliseconds: by each build, and at an origin by each
   * publication, also where nothing had changed. Null if that is not known.
   */
  readonly pointerModifiedAtMs: number | null
  /**
   * The bytes of a file, by its path from the root.
   *
   * @throws {MissingFile} when the tree has no such file
   * @throws {TreeFault} when it cannot be read
   */
  read(path: string): Promise<Buffer>
  /**
   * As `read`, of a file whose digest is known. `client` is the client that it is for: an origin
   * gets its request, forwarded.
   *
   * @throws {TreeFault} as `read`, and when these are not the right bytes
   */
  readChecked(path: string, isRight: (bytes: Uint8Array) => boolean, client?: Client): Promise<Buffer>
  /**
   * The bytes of a large file in memory of their own, and their SHA-256 (hex), computed piece by
   * piece so that nothing else waits long. `expected` is the digest that they should have, if it is
   * known: they may be kept on disk by it.
   *
   * @throws as `read`
   */
  readDigested(path: string, expected?: string): Promise<Digested>
}

/** A client of the proxy, whose request a file is read for. */
export interface Client {
  req: IncomingMessage
  res: ServerResponse
}

/** The bytes of a file and their SHA-256 (hex). */
export interface Digested {
  bytes: Uint8Array<ArrayBuffer>
  digest: string
}

/** How much is read and digested at a time: 2 ms of SHA-256. */
const pieceBytes = 4 * 1024 * 1024

/** Why the tree does not give a file: few, for they are a label of the metrics. */
export const treeFaultReasons = [
  'missing',
  'unreadable',
  'wrong',
  'connect',
  'timeout',
  'cut',
  'status',
] as const
export type TreeFaultReason = (typeof treeFaultReasons)[number]

/** The tree does not give a file as the release names it. */
export class TreeFault extends Error {
  override name = 'TreeFault'
  readonly reason: TreeFaultReason
  readonly path: string
  /** The status that an origin answered with; undefined if none did. */
  readonly status: number | undefined

  constructor(
    reason: TreeFaultReason,
    path: string,
    message: string,
    { status, cause }: { status?: number | undefined; cause?: Error } = {},
  ) {
    super(message, { cause })
    this.reason = reason
    this.path = path
    this.status = status
  }
}

/** The tree has no such file. */
export class MissingFile extends TreeFault {
  override name = 'MissingFile'

  constructor(path: string, message: string, status?: number) {
    super('missing', path, message, { status })
  }
}

/** What was read; null if the tree has no such file. */
export async function nullIfMissing<T>(reading: Promise<T>): Promise<T | null> {
  return await reading.catch((error: unknown) => {
    if (error instanceof MissingFile) return null
    throw error
  })
}

/** A file of the tree is not what the release names. */
export function damagedFile(path: string): TreeFault {
  return new TreeFault('wrong', path, `cannot read "${path}": it does not match the release`)
}

/** A tree in a folder of this machine. */
export function folderTree(folder: string): Tree {
  // Paths of the tree are already normalised. `join` would take 0.8 µs, as much as reading a page.
  const root = join(folder)
  const placeOf = (path: string) => `${root}/${path}`
  const orFault = <T>(path: string, reading: Promise<T>): Promise<T> =>
    reading.catch((error: Error) => {
      if (!isSystemError(error)) throw error
      if (isNotFound(error)) throw new MissingFile(path, `there is no file "${path}" in "${folder}"`)
      throw new TreeFault('unreadable', path, explainSystemError(error), { cause: error })
    })
  return {
    location: folder,
    folder,
    followEveryMs: 1_000,
    retryUpToMs: 1_000,
    get pointerModifiedAtMs() {
      return statSync(placeOf(currentPath), { throwIfNoEntry: false })?.mtimeMs ?? null
    },
    read: (path) => orFault(path, readFile(placeOf(path))),
    async readChecked(path, isRight) {
      const bytes = await orFault(path, readFile(placeOf(path)))
      if (!isRight(bytes)) throw damagedFile(path)
      return bytes
    },
    readDigested: (path) => orFault(path, readDigestedOf(placeOf(path))),
  }
}

export async function readDigestedOf(path: string): Promise<Digested> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const bytes = new Uint8Array(size)
    const hash = createHash('sha256')
    const readAt = (at: number) => handle.read(bytes, at, Math.min(pieceBytes, size - at), at)
    let reading = readAt(0)
    for (let at = 0, end = 0; at < size; at = end) {
      end = at + (await reading).bytesRead
      if (end === at) break
      // Another thread reads the next piece while this one digests.
      reading = readAt(end)
      hash.update(bytes.subarray(at, end))
    }
    return { bytes, digest: hash.digest('hex') }
  } finally {
    await handle.close()
  }
}
