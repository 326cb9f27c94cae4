import { mkdir, rm, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { asideFolderOf } from './aside.ts'
import { Crew } from './crew.ts'
import type { Briefing } from './hand.ts'

/** Where a build works: its hands, and a folder for what is not whole yet. */
export class Workshop {
  readonly asideFolder: string
  /** When it was opened, by the clock of the file system, in nanoseconds since the epoch. */
  readonly openedNs: bigint
  #crew: Crew | null = null

  private constructor(asideFolder: string, openedNs: bigint) {
    this.asideFolder = asideFolder
    this.openedNs = openedNs
  }

  static async open(outFolder: string): Promise<Workshop> {
    const asideFolder = asideFolderOf(outFolder, process.pid)
    await rm(asideFolder, { recursive: true, force: true })
    await mkdir(asideFolder, { recursive: true })
    const { ctimeNs } = await stat(asideFolder, { bigint: true })
    return new Workshop(asideFolder, ctimeNs)
  }

  /** The hands that were hired. */
  get crew(): Crew {
    return this.#crew!
  }

  /** `threads` is how many share much work; unless given, one a processor. */
  hire(briefing: Omit<Briefing, 'asideFolder'>, threads = availableParallelism()): Crew {
    return (this.#crew = new Crew({ ...briefing, asideFolder: this.asideFolder }, threads))
  }

  /** Lets the hands go and clears up. */
  async close(): Promise<void> {
    await this.#crew?.dismiss()
    await rm(this.asideFolder, { recursive: true, force: true })
  }
}
