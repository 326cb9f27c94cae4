import { existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { atomicWrite } from '#kit/atomic-write.ts'
import { explainSystemError } from '#kit/explain-system-error.ts'
import { FileLock } from '#kit/file-lock.ts'
import { readReleaseIds } from '../release-ids.ts'
import { applyDelta } from '../delta/apply-delta.ts'
import { DigestedFile, type Digested } from '../digested-file.ts'
import type { TableDelta } from '../manifest.ts'
import { largestBytes, requireTreePath } from '../tree-path.ts'

/** The number of releases to keep, so that a rollback finds the previous one. */
const keptReleases = 3
const lookAgainMs = 100

/**
 * Files read from an origin, under the same paths in a folder that the processes of a machine
 * share. They appear whole, and every reader checks them, so damage to the folder only costs time.
 */
export class DiskCache {
  readonly #folder: string
  readonly #onNote: ((message: string) => void) | undefined
  /** The purposes for which the folder could not be used last time. */
  readonly #failing = new Set<string>()

  /** @param onNote is called when the folder can no longer be used */
  constructor(folder: string, onNote?: (message: string) => void) {
    this.#folder = folder
    this.#onNote = onNote
  }

  /** Reads the file that was stored under this path; null if there is none. */
  async read(path: string): Promise<Buffer | null> {
    return await readFile(this.#place(path)).catch(() => null)
  }

  /**
   * Keeps a file. A full or read-only disk is only noted, because the origin still has the file.
   */
  async keep(path: string, bytes: Uint8Array): Promise<void> {
    await this.#attempt('used, so the service cannot start while the origin is down', () =>
      atomicWrite(this.#place(path), bytes, { sync: false, isPrivate: true }),
    )
  }

  /**
   * Returns the table with this digest, opened by `open` in the folder. If it is not there, one of
   * the processes downloads it, and the others wait. `update` may create it before that.
   */
  async table(
    path: string,
    digest: string,
    open: (place: string) => Promise<DigestedFile>,
    download: () => Promise<Digested>,
    update?: () => Promise<void>,
  ): Promise<DigestedFile> {
    const place = this.#place(path)
    const openCopy = async () => {
      const copy = await open(place).catch(() => null)
      if (copy?.digest === digest) return copy
      copy?.[Symbol.dispose]()
      return null
    }
    for (;;) {
      using lock = new FileLock(`${place}.lock`)
      // If nothing can be written, each process downloads the table itself.
      if (!lock.isBusy) {
        const copy = await openCopy()
        if (copy) return copy
        if (update) {
          await update()
          const updatedCopy = await openCopy()
          if (updatedCopy) return updatedCopy
        }
        const fresh = await download()
        if (fresh.digest !== digest) return DigestedFile.inMemory(fresh)
        await this.keep(path, fresh.bytes)
        return (await openCopy()) ?? DigestedFile.inMemory(fresh)
      }
      await setTimeout(lookAgainMs)
    }
  }

  has(path: string): boolean {
    return existsSync(this.#place(path))
  }

  /**
   * Creates a table from a delta and its stored base.
   *
   * @throws {Error} the delta or its base is damaged, or the disk cannot be written
   */
  async update(path: string, digest: string, { basePath }: TableDelta, delta: Uint8Array): Promise<void> {
    const place = this.#place(path)
    const aside = `${place}.${process.pid}.tmp`
    try {
      const actualDigest = await applyDelta(this.#place(basePath), delta, aside, largestBytes(path))
      if (actualDigest !== digest) throw new Error('its result does not match the manifest')
      await rename(aside, place)
    } finally {
      await rm(aside, { force: true })
    }
  }

  /** Deletes the releases that are neither among the latest nor in service, if it can. */
  async deleteOld(inService: string): Promise<void> {
    await this.#attempt('cleared of old releases', async () => {
      const ids = await readReleaseIds(this.#folder)
      for (const id of ids.slice(0, -keptReleases))
        if (id !== inService) await rm(join(this.#folder, 'releases', id), { recursive: true, force: true })
    })
  }

  /** Does what requests do not depend on. The first of several failures in a row is noted. */
  async #attempt(purpose: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#failing.delete(purpose)
    } catch (error) {
      if (!this.#failing.has(purpose))
        this.#onNote?.(
          `the cache in "${this.#folder}" cannot be ${purpose}: ${explainSystemError(error as Error)}`,
        )
      this.#failing.add(purpose)
    }
  }

  #place(path: string): string {
    requireTreePath(path)
    return join(this.#folder, path)
  }
}
