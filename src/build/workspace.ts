import { mkdir, rm, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { workFolder } from '#release/paths.ts'
import type { WorkerContext } from './build-worker.ts'
import { WorkerPool } from './worker-pool.ts'

/**
 * Where a build works: its workers, and a folder for files in progress. Only the process that holds
 * the tree uses it.
 */
export class Workspace {
  readonly folder: string
  /** When it was opened, by the clock of the file system, in nanoseconds since the epoch. */
  readonly openedNs: bigint
  #pool: WorkerPool | null = null

  private constructor(folder: string, openedNs: bigint) {
    this.folder = folder
    this.openedNs = openedNs
  }

  static async open(outFolder: string): Promise<Workspace> {
    const folder = join(outFolder, workFolder)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const { ctimeNs } = await stat(folder, { bigint: true })
    return new Workspace(folder, ctimeNs)
  }

  /** The workers, after `start`. */
  get pool(): WorkerPool {
    return this.#pool!
  }

  /** `threads` is how many share a large amount of work; by default one per processor. */
  start(context: Omit<WorkerContext, 'workFolder'>, threads = availableParallelism()): WorkerPool {
    return (this.#pool = new WorkerPool({ ...context, workFolder: this.folder }, threads))
  }

  /** Ends the workers and removes the folder. */
  async close(): Promise<void> {
    await this.#pool?.end()
    await rm(this.folder, { recursive: true, force: true })
  }
}
