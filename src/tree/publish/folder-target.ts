import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { withPath } from '#kit/explain-system-error.ts'
import { FileLock } from '#kit/file-lock.ts'
import { nullIfNotFound } from '#kit/not-found.ts'
import { makeFolder } from '#kit/make-folder.ts'
import { syncFolder, syncOne } from '#kit/sync-folder.ts'
import { isCompressible, mediaType } from '#release/media-types.ts'
import { Refused } from '../refused.ts'
import type { PublishTarget } from './target.ts'

const compress = promisify(gzip)
const worthCompressingBytes = 1024
/**
 * The name of the file that is being written. A killed run leaves it, and the next one removes it.
 */
const workName = '.publishing'

/** A folder that a web server serves. */
export class FolderTarget implements PublishTarget {
  readonly location: string
  readonly #isCompressed: boolean
  readonly #workFolder: string
  readonly #lockPath: string
  #lock: FileLock | undefined
  #fileCount = 0

  /**
   * @param isCompressed whether each text has a `.gz` beside it, which nginx sends (`gzip_static`)
   */
  constructor(folder: string, isCompressed: boolean) {
    this.location = folder
    this.#isCompressed = isCompressed
    this.#workFolder = join(folder, workName)
    this.#lockPath = join(folder, `${workName}.lock`)
  }

  async begin(): Promise<void> {
    // Before the lock, which creates its folder for this user only.
    makeFolder(this.location)
    this.#lock = new FileLock(this.#lockPath)
    if (this.#lock.isBusy) throw new Refused(`another process is publishing to "${this.location}"`)
    await rm(this.#workFolder, { recursive: true, force: true })
    makeFolder(this.#workFolder)
  }

  async read(path: string): Promise<Buffer | null> {
    return await nullIfNotFound(readFile(this.#placeOf(path)))
  }

  async compare(path: string, bytes: Uint8Array): Promise<'same' | 'other' | 'missing'> {
    const bytesThere = await this.read(path)
    if (bytesThere && !bytesThere.equals(bytes)) return 'other'
    const isWhole = bytesThere && (!this.#isZipped(path, bytes) || existsSync(`${this.#placeOf(path)}.gz`))
    return isWhole ? 'same' : 'missing'
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    const place = this.#placeOf(path)
    if (this.#isZipped(path, bytes)) await this.#put(`${place}.gz`, await compress(bytes))
    else await rm(`${place}.gz`, { force: true })
    await this.#put(place, bytes)
  }

  async sync(): Promise<void> {
    await syncFolder(this.location)
  }

  async delete(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      await rm(this.#placeOf(path), { force: true })
      await rm(`${this.#placeOf(path)}.gz`, { force: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#lock?.isBusy !== false) return
    await rm(this.#workFolder, { recursive: true, force: true })
    this.#lock[Symbol.dispose]()
    await rm(this.#lockPath, { force: true })
  }

  #placeOf(path: string): string {
    return join(this.location, path)
  }

  #isZipped(path: string, bytes: Uint8Array): boolean {
    return this.#isCompressed && bytes.length > worthCompressingBytes && isCompressible(mediaType(path))
  }

  async #put(place: string, bytes: Uint8Array): Promise<void> {
    const aside = join(this.#workFolder, String(this.#fileCount++))
    // The files at the root, such as the pointer, replace others, which must not be lost with them.
    const isSynced = dirname(place) === join(this.location)
    await writeFile(aside, bytes).catch((error: Error) => {
      throw withPath(error, place)
    })
    if (isSynced) await syncOne(aside)
    makeFolder(dirname(place))
    await rename(aside, place)
    if (isSynced) await syncOne(this.location)
  }
}
