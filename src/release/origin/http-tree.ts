import { DigestedFile, largestInMemory, openDigestedFile, type DiskRanges } from '../digested-file.ts'
import { parseCurrent, parseManifest, type TableDelta } from '../manifest.ts'
import { currentPath } from '../paths.ts'
import { digestedBytes, MissingFile, noRanges, readFault, type Digested, type Tree } from '../tree.ts'
import type { DiskCache } from './disk-cache.ts'
import { reliableEtag, type OriginClient, type OriginRequest } from './origin-client.ts'

/** The time limits for a whole table, which may have hundreds of megabytes. */
const tableLimits = { firstByteMs: 10_000, wholeMs: 600_000 }
const nothingPublishedRetryMs = 60_000

export interface HttpTreeOptions {
  inMemoryMax?: number
  onNote?: ((message: string) => void) | undefined
}

/** A file that may change, as it was last read. */
interface LastRead {
  etag: string | undefined
  bytes: Buffer
}

/**
 * Returns a tree behind an HTTP origin. The files that a start needs are stored on disk: tables,
 * manifests, the pointer. Callers cache the rest.
 *
 * @param options.inMemoryMax the largest range of a table that is kept in memory although it may
 *   stay on the disk
 * @param options.onNote is called with what an operator should know
 */
export function httpTree(
  client: OriginClient,
  disk: DiskCache | null,
  followEveryMs: number,
  { inMemoryMax = largestInMemory, onNote }: HttpTreeOptions = {},
): Tree {
  const changing = new Map<string, LastRead>()
  let pointerModifiedAtMs: number | null = null

  /** Reads a file whose bytes may change: the origin is only asked whether they have. */
  const readChanging = async (path: string, isRight: OriginRequest['isRight']): Promise<Buffer> => {
    const last = changing.get(path)
    const { status, headers, bytes } = await client.read({ path, ifNoneMatch: last?.etag, isRight })
    const modifiedAtMs = Date.parse(headers['last-modified'] ?? '')
    if (path === currentPath && modifiedAtMs) pointerModifiedAtMs = modifiedAtMs
    if (status === 304) return last!.bytes
    const file = { etag: reliableEtag(headers), bytes }
    changing.set(path, file)
    return file.bytes
  }

  /**
   * Reads the pointer. While the origin is out of reach, a process that has not read it yet uses
   * the one on disk.
   */
  const readCurrent = async (): Promise<Buffer> => {
    try {
      const bytes = await readChanging(currentPath, isPointer)
      await disk?.keep(currentPath, bytes)
      return bytes
    } catch (error) {
      const isKnown = changing.has(currentPath) || error instanceof MissingFile
      const copy = isKnown ? null : await disk?.read(currentPath)
      if (!copy) throw error
      return copy
    }
  }

  const readKept = async (path: string, isRight: (bytes: Uint8Array) => boolean): Promise<Buffer> => {
    const copy = await disk?.read(path)
    if (copy && isRight(copy)) return copy
    const { bytes } = await client.read({ path, isRight })
    await disk?.keep(path, bytes)
    return bytes
  }

  const download = async (path: string): Promise<Digested> => {
    const { bytes, digest } = await client.read({ path, limits: tableLimits })
    return { bytes: new Uint8Array(bytes.buffer), digest }
  }

  /**
   * Creates a table from the previous one, if that is stored. If this fails, the table is
   * downloaded.
   */
  const update = async (path: string, digest: string, delta: TableDelta) => {
    if (!disk?.has(delta.basePath)) return
    try {
      const { bytes, digest: deltaDigest } = await download(delta.path)
      if (deltaDigest !== delta.digest) throw new Error('it does not match the manifest')
      await disk.update(path, digest, delta, bytes)
    } catch (error) {
      onNote?.(
        `"${path}" is downloaded in full, because it cannot be rebuilt with "${delta.path}": ${(error as Error).message}`,
      )
    }
  }

  const openDigested = async (
    path: string,
    digest: string,
    diskRanges: DiskRanges,
    delta: TableDelta | null = null,
  ) => {
    if (!disk) return DigestedFile.inMemory(await download(path))
    const open = (place: string) =>
      openDigestedFile(place, diskRanges, (cause) => readFault(path, cause), inMemoryMax)
    const updateWithDelta = delta ? () => update(path, digest, delta) : undefined
    const table = await disk.table(path, digest, open, () => download(path), updateWithDelta)
    await disk.deleteOld(path.split('/')[1]!)
    return table
  }

  return {
    location: client.location,
    followEveryMs,
    retryUpToMs: nothingPublishedRetryMs,
    get pointerModifiedAtMs() {
      return pointerModifiedAtMs
    },
    async read(path) {
      if (path === currentPath) return await readCurrent()
      const [, release, file] = /^releases\/([^/]+)\/(.+)$/.exec(path) ?? []
      if (file === 'manifest.json') return await readKept(path, (bytes) => isManifest(bytes, path, release!))
      if (release === undefined) return await readChanging(path, undefined)
      // Not stored on disk, because after a prune no digest of it is known.
      return (await client.read({ path })).bytes
    },
    async readChecked(path, isRight, reader) {
      // The files that a start needs: the coverage record, and the heads of the sentence index.
      if (/^data\/(corpus\.|sentences\/[^.]+\.bin$)/.test(path)) return await readKept(path, isRight)
      return (await client.read({ path, isRight, client: reader })).bytes
    },
    async readDigested(path, digest) {
      if (digest === undefined) return await download(path)
      return digestedBytes(await openDigested(path, digest, noRanges))
    },
    openDigested,
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
