import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { explainSystemError, isSystemError } from '#kit/explain-system-error.ts'
import { isNotFound } from '#kit/not-found.ts'
import { largestInMemory, openDigestedFile, type DigestedFile, type DiskRanges } from './digested-file.ts'
import type { TableDelta } from './manifest.ts'
import { currentPath } from './paths.ts'

/** A published tree to read from. */
export interface Tree {
  /** The tree's location, quoted in messages. */
  location: string
  /** The folder of the tree, if it is on this machine. */
  folder?: string
  /** How often to check whether another release is current, in milliseconds. */
  followEveryMs: number
  /** The longest wait between checks while nothing is published, in milliseconds. */
  retryUpToMs: number
  /**
   * The time at which the pointer was last written, in milliseconds: by each build, and at an
   * origin by each publication, even if nothing had changed. Null if unknown.
   */
  readonly pointerModifiedAtMs: number | null
  /**
   * Returns the bytes of a file, by its path from the root.
   *
   * @throws {MissingFile} the tree has no such file
   * @throws {TreeFault} it cannot be read
   */
  read(path: string): Promise<Buffer>
  /**
   * Like `read`, for a file whose digest is known. `client` is the client that requested it, whose
   * request is forwarded to an origin.
   *
   * @throws {TreeFault} as `read`, or the bytes are wrong
   */
  readChecked(path: string, isRight: (bytes: Uint8Array) => boolean, client?: Client): Promise<Buffer>
  /**
   * Like `readChecked`, at once, into memory that the next call reuses. A file is checked again
   * only after it has changed. Only a tree in a folder has this method. For files of which a
   * request uses little, it takes less than a quarter of the CPU time.
   *
   * @throws {TreeFault} as `readChecked`
   */
  readTemporarily?(path: string, isRight: (bytes: Uint8Array) => boolean): Buffer
  /**
   * Reads a large file into memory of its own, and computes its digest piece by piece so that
   * nothing else waits long. Leaves the large ones of some ranges on disk, if possible; the caller
   * then closes the file. `digest` is the expected one, if it is known, by which an origin's file
   * may be stored on disk. With `delta`, the file can be created from its base.
   *
   * @throws as `read`
   */
  openDigested(
    path: string,
    digest?: string,
    diskRanges?: DiskRanges,
    delta?: TableDelta | null,
  ): Promise<DigestedFile>
}

/** A client of the proxy, for whose request a file is read. */
export interface Client {
  req: IncomingMessage
  res: ServerResponse
}

/** The reasons why the tree cannot provide a file: few, because they are a label of the metrics. */
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

/** The tree cannot provide a file as the release names it. */
export class TreeFault extends Error {
  override name = 'TreeFault'
  readonly reason: TreeFaultReason
  readonly path: string
  /** The status of the origin's response; undefined without one. */
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

export class MissingFile extends TreeFault {
  override name = 'MissingFile'

  constructor(path: string, message: string, status?: number) {
    super('missing', path, message, { status })
  }
}

/** Returns the result of reading; null if the tree has no such file. */
export async function nullIfMissing<T>(reading: Promise<T>): Promise<T | null> {
  return await reading.catch((error: unknown) => {
    if (error instanceof MissingFile) return null
    throw error
  })
}

/** The error for a file of the tree that is not what the release names. */
export function damagedFile(path: string): TreeFault {
  return new TreeFault('wrong', path, `cannot read "${path}": it does not match the release`)
}

/** The error for bytes of an open file that cannot be read or, without a cause, are wrong. */
export function readFault(path: string, cause?: Error): TreeFault {
  return cause ? new TreeFault('unreadable', path, explainSystemError(cause), { cause }) : damagedFile(path)
}

/** The number of files whose times are remembered, in 3 MB. */
const maxChangeTimes = 20_000

export class FolderTree implements Tree {
  readonly location: string
  readonly folder: string
  readonly followEveryMs: number = 1_000
  readonly retryUpToMs: number = 1_000
  /** Joining paths, which are normalised already, would take as long as reading a page. */
  readonly #root: string
  readonly #inMemoryMax: number
  readonly #temporaryFile = new TemporaryFile()
  /** When each file that was right had last changed, in milliseconds, keyed by path. */
  readonly #changeTimes = new Map<string, number>()

  /**
   * @param inMemoryMax the largest range of a table that is kept in memory although it may stay on
   *   the disk
   */
  constructor(folder: string, inMemoryMax = largestInMemory) {
    this.location = folder
    this.folder = folder
    this.#root = join(folder)
    this.#inMemoryMax = inMemoryMax
  }

  get pointerModifiedAtMs(): number | null {
    try {
      return statSync(this.#placeOf(currentPath)).mtimeMs
    } catch {
      return null
    }
  }

  async read(path: string): Promise<Buffer> {
    return await readFile(this.#placeOf(path)).catch((error: Error) => this.#fail(path, error))
  }

  async readChecked(path: string, isRight: (bytes: Uint8Array) => boolean): Promise<Buffer> {
    const bytes = await this.read(path)
    if (!isRight(bytes)) throw damagedFile(path)
    return bytes
  }

  readTemporarily(path: string, isRight: (bytes: Uint8Array) => boolean): Buffer {
    let bytes: Buffer
    try {
      bytes = this.#temporaryFile.read(this.#placeOf(path))
    } catch (error) {
      this.#fail(path, error as Error)
    }
    const { changedMs } = this.#temporaryFile
    if (this.#changeTimes.get(path) === changedMs) return bytes
    if (!isRight(bytes)) throw damagedFile(path)
    if (this.#changeTimes.size === maxChangeTimes) this.#changeTimes.clear()
    this.#changeTimes.set(path, changedMs)
    return bytes
  }

  async openDigested(path: string, _digest?: string, diskRanges = noRanges): Promise<DigestedFile> {
    const makeFault = (cause?: Error) => readFault(path, cause)
    const opening = openDigestedFile(this.#placeOf(path), diskRanges, makeFault, this.#inMemoryMax)
    return await opening.catch((error: Error) => this.#fail(path, error))
  }

  #placeOf(path: string): string {
    return `${this.#root}/${path}`
  }

  #fail(path: string, error: Error): never {
    if (!isSystemError(error)) throw error
    if (isNotFound(error)) throw new MissingFile(path, `there is no file "${path}" in "${this.folder}"`)
    throw readFault(path, error)
  }
}

/**
 * Reads one file after another into the same memory, because new memory takes longer than reading.
 */
class TemporaryFile {
  /** When the file had last changed: its content, name or mode, which no program can set back. */
  changedMs = 0
  #bytes = Buffer.allocUnsafeSlow(256 * 1024)

  /** Returns the bytes of a file, valid until the next call. @throws {Error} a system error */
  read(path: string): Buffer {
    const descriptor = openSync(path, 'r')
    try {
      this.changedMs = fstatSync(descriptor).ctimeMs
      for (let length = 0; ;) {
        length += readSync(descriptor, this.#bytes, length, this.#bytes.length - length, null)
        // A file that leaves room was read to its end. Otherwise, its digest would show it.
        if (length < this.#bytes.length) return this.#bytes.subarray(0, length)
        this.#bytes = Buffer.concat([this.#bytes], 2 * length)
      }
    } finally {
      closeSync(descriptor)
    }
  }
}

/** Leaves nothing on disk. */
export const noRanges: DiskRanges = () => []
