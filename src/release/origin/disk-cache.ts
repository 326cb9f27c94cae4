import { existsSync } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { atomicWrite } from '#kit/atomic-write.ts'
import { makeFolder } from '#kit/make-folder.ts'
import { readReleaseIds } from '../release-ids.ts'
import { readDigestedOf, type Digested } from '../tree.ts'

/** How many releases are kept, so that a rollback finds the previous one. */
const keptReleases = 3
const lookAgainMs = 100
/**
 * A download takes at most this long. One that is still marked then was abandoned by a process that
 * died.
 */
const abandonedAfterLooks = 6_000

/**
 * Files read from an origin, under the same paths in a folder that the processes of a machine
 * share. A file appears whole or not at all, and whoever reads it checks it, so losing or damaging
 * the folder only costs time.
 */
export class DiskCache {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The file that was kept under this path; null if there is none. */
  async read(path: string): Promise<Buffer | null> {
    return await readFile(join(this.#folder, path)).catch(() => null)
  }

  /** Keeps a file. Errors are ignored: a full or read-only disk only slows down the next start. */
  async keep(path: string, bytes: Uint8Array): Promise<void> {
    await atomicWrite(join(this.#folder, path), bytes, { sync: false }).catch(() => {})
  }

  /**
   * The table of this digest. If it is not kept, one of the processes that want it downloads it,
   * and the others wait.
   */
  async table(path: string, digest: string, download: () => Promise<Digested>): Promise<Digested> {
    const place = join(this.#folder, path)
    const mark = `${place}.download`
    for (let looks = 0; ; looks++) {
      // While another process downloads, only its mark is checked.
      if (looks < abandonedAfterLooks && existsSync(mark)) {
        await setTimeout(lookAgainMs)
        continue
      }
      const kept = await readDigestedOf(place).catch(() => null)
      if (kept?.digest === digest) return kept
      if (looks >= abandonedAfterLooks) await rm(mark, { force: true })
      if (await this.#begin(mark)) break
    }
    try {
      const downloaded = await download()
      if (downloaded.digest === digest) await this.keep(path, downloaded.bytes)
      return downloaded
    } finally {
      await rm(mark, { force: true })
    }
  }

  /** Deletes the releases that are neither among the latest nor the one in service. */
  async deleteOld(inService: string): Promise<void> {
    const ids = await readReleaseIds(this.#folder)
    for (const id of ids.slice(0, -keptReleases))
      if (id !== inService) await rm(join(this.#folder, 'releases', id), { recursive: true, force: true })
  }

  /** Whether this process downloads. */
  async #begin(mark: string): Promise<boolean> {
    try {
      makeFolder(dirname(mark))
      await (await open(mark, 'wx')).close()
      return true
    } catch (error) {
      // If nothing can be written, each process downloads for itself.
      return (error as NodeJS.ErrnoException).code !== 'EEXIST'
    }
  }
}
