import { openRelease, readCurrent, type Release } from '#release/release.ts'
import { MissingFile, type Tree } from '#release/tree.ts'
import { RepeatedLook } from './repeated-look.ts'

export interface LiveReleaseLog {
  info(message: string): void
  error(message: string): void
}

/**
 * The release in service. It follows the pointer of the tree: a new release is opened beside the old one, and taken up between two requests;
 * one that does not open is told once and the old one stays.
 */
export class LiveRelease {
  readonly #tree: Tree
  readonly #log: LiveReleaseLog
  #release: Release | null = null
  readonly #looks = new RepeatedLook(() => this.#look())
  #lastFault = ''

  constructor(tree: Tree, log: LiveReleaseLog) {
    this.#tree = tree
    this.#log = log
  }

  /** The release in service; null while there is none. */
  get current(): Release | null {
    return this.#release
  }

  /** Looks at the pointer now, and then every `intervalMs`. */
  follow(intervalMs: number): Promise<void> {
    return this.#looks.follow(intervalMs)
  }

  stop(): void {
    this.#looks.stop()
  }

  /** Takes up the release that the pointer names, if it is another. */
  refresh(): Promise<void> {
    return this.#looks.now()
  }

  /** As `refresh`, at somebody's word: what comes of it is told also where nothing changes, or the fault is an old one. */
  async reload(): Promise<void> {
    const before = this.#release
    this.#lastFault = ''
    await this.#looks.now()
    if (before !== null && this.#release === before && this.#lastFault === '')
      this.#log.info(`release ${before.manifest.release} stays in service: the pointer names no other`)
  }

  async #look(): Promise<void> {
    try {
      const id = await this.#readPointer()
      if (id !== this.#release?.manifest.release) {
        this.#release = await openRelease(this.#tree, id)
        this.#log.info(`release ${id} is in service`)
      }
      this.#lastFault = ''
    } catch (error) {
      this.#tell(error as Error)
    }
  }

  async #readPointer(): Promise<string> {
    try {
      return await readCurrent(this.#tree)
    } catch (error) {
      if (!(error instanceof MissingFile)) throw error
      throw new MissingFile(`nothing is published in "${this.#tree.location}"`)
    }
  }

  #tell(error: Error): void {
    const before = this.#release
      ? `release ${this.#release.manifest.release} stays`
      : 'no release is in service'
    if (error.message !== this.#lastFault) this.#log.error(`${error.message}; ${before}`)
    this.#lastFault = error.message
  }
}
