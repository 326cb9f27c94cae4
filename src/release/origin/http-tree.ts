import { DigestedFile, largestInMemory, openDigestedFile, type Digested } from '../digested-file.ts'
import { parseCurrent, parseManifest, type TableDelta } from '../manifest.ts'
import { currentPath } from '../paths.ts'
import { MissingFile, noRanges, readFault, type Client, type Tree } from '../tree.ts'
import type { DiskCache } from './disk-cache.ts'
import { reliableEtag, type OriginClient, type OriginRequest } from './origin-client.ts'

/** The time limits for a whole table, which may have hundreds of megabytes. */
const tableLimits = { firstByteMs: 10_000, wholeMs: 600_000 }
const nothingPublishedRetryMs = 60_000

interface HttpTreeOptions {
  inMemoryMax?: number
  onNote?: ((message: string) => void) | undefined
}

/** A file that may change, as it was last read. */
interface LastRead {
  etag: string | undefined
  bytes: Buffer
}

/**
 * A tree behind an HTTP origin. The files that a start needs are stored on disk: tables, manifests
 * and the pointer. Callers cache the rest.
 */
export class HttpTree implements Tree {
  readonly location: string
  readonly followEveryMs: number
  readonly retryUpToMs = nothingPublishedRetryMs
  readonly #client: OriginClient
  readonly #disk: DiskCache | null
  readonly #inMemoryMax: number
  readonly #onNote: HttpTreeOptions['onNote']
  readonly #changing = new Map<string, LastRead>()
  pointerModifiedAtMs: number | null = null

  /**
   * @param options.inMemoryMax the largest range of a table that is kept in memory although it may
   *   stay on the disk
   * @param options.onNote is called with what an operator should know
   */
  constructor(
    client: OriginClient,
    disk: DiskCache | null,
    followEveryMs: number,
    { inMemoryMax = largestInMemory, onNote }: HttpTreeOptions = {},
  ) {
    this.location = client.location
    this.followEveryMs = followEveryMs
    this.#client = client
    this.#disk = disk
    this.#inMemoryMax = inMemoryMax
    this.#onNote = onNote
  }

  async read(path: string): Promise<Buffer> {
    if (path === currentPath) return await this.#readCurrent()
    const [, release, file] = /^releases\/([^/]+)\/(.+)$/.exec(path) ?? []
    if (file === 'manifest.json')
      return await this.#readStored(path, (bytes) => isManifest(bytes, path, release!))
    if (release === undefined) return await this.#readChanging(path, undefined)
    // Not stored on disk, because after a prune no digest of it is known.
    return (await this.#client.read({ path })).bytes
  }

  async readChecked(path: string, isRight: (bytes: Uint8Array) => boolean, client?: Client): Promise<Buffer> {
    // The files that a start needs: the coverage record, and the heads of the sentence index.
    if (/^data\/(corpus\.|sentences\/[^.]+\.bin$)/.test(path)) return await this.#readStored(path, isRight)
    return (await this.#client.read({ path, isRight, client })).bytes
  }

  async openDigested(
    path: string,
    digest?: string,
    diskRanges = noRanges,
    delta: TableDelta | null = null,
  ): Promise<DigestedFile> {
    const disk = this.#disk
    if (!disk || digest === undefined) return DigestedFile.inMemory(await this.#download(path))
    const open = (place: string) =>
      openDigestedFile(place, diskRanges, (cause) => readFault(path, cause), this.#inMemoryMax)
    const update = delta ? () => this.#update(disk, path, digest, delta) : undefined
    const table = await disk.table(path, digest, open, () => this.#download(path), update)
    await disk.deleteOld(path.split('/')[1]!)
    return table
  }

  /** Reads a file whose bytes may change: the origin is only asked whether they have. */
  async #readChanging(path: string, isRight: OriginRequest['isRight']): Promise<Buffer> {
    const last = this.#changing.get(path)
    const { status, headers, bytes } = await this.#client.read({ path, ifNoneMatch: last?.etag, isRight })
    const modifiedAtMs = Date.parse(headers['last-modified'] ?? '')
    if (path === currentPath && modifiedAtMs) this.pointerModifiedAtMs = modifiedAtMs
    if (status === 304) return last!.bytes
    this.#changing.set(path, { etag: reliableEtag(headers), bytes })
    return bytes
  }

  /** Reads the pointer: the one on disk if the origin has been out of reach since the start. */
  async #readCurrent(): Promise<Buffer> {
    try {
      const bytes = await this.#readChanging(currentPath, isPointer)
      await this.#disk?.keep(currentPath, bytes)
      return bytes
    } catch (error) {
      const isKnown = this.#changing.has(currentPath) || error instanceof MissingFile
      const copy = isKnown ? null : await this.#disk?.read(currentPath)
      if (!copy) throw error
      return copy
    }
  }

  /** Reads a file that is stored on disk once it has been read. */
  async #readStored(path: string, isRight: (bytes: Uint8Array) => boolean): Promise<Buffer> {
    const copy = await this.#disk?.read(path)
    if (copy && isRight(copy)) return copy
    const { bytes } = await this.#client.read({ path, isRight })
    await this.#disk?.keep(path, bytes)
    return bytes
  }

  async #download(path: string): Promise<Digested> {
    const { bytes, digest } = await this.#client.read({ path, limits: tableLimits })
    return { bytes: new Uint8Array(bytes.buffer), digest }
  }

  /** Creates a table from the previous one, if that is stored; otherwise, it is downloaded. */
  async #update(disk: DiskCache, path: string, digest: string, delta: TableDelta): Promise<void> {
    if (!disk.has(delta.basePath)) return
    try {
      const { bytes, digest: deltaDigest } = await this.#download(delta.path)
      if (deltaDigest !== delta.digest) throw new Error('it does not match the manifest')
      await disk.update(path, digest, delta, bytes)
    } catch (error) {
      this.#onNote?.(
        `"${path}" is downloaded in full, because it cannot be rebuilt with "${delta.path}": ${(error as Error).message}`,
      )
    }
  }
}

/** Whether these bytes identify themselves as the requested file. An origin may send anything. */
function isPointer(bytes: Uint8Array): boolean {
  return parses(() => parseCurrent(Buffer.from(bytes).toString(), currentPath))
}

function isManifest(bytes: Uint8Array, path: string, release: string): boolean {
  return parses(() => parseManifest(Buffer.from(bytes).toString(), path).release === release)
}

function parses(parse: () => unknown): boolean {
  try {
    return parse() !== false
  } catch {
    return false
  }
}
