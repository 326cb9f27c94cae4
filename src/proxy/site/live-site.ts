import { MissingFile, type Tree } from '#release/tree.ts'
import type { LiveReleaseLog } from '../live-release.ts'
import { RepeatedLook } from '../repeated-look.ts'
import { openSite, readSiteList, type Site, type SiteFile } from './site.ts'

/** The site in service. It follows its list of files; one that does not open is told once and the old one stays. */
export class LiveSite {
  readonly #tree: Tree
  readonly #log: LiveReleaseLog
  #site: Site | null = null
  /** Of the site before: pages that are open in a browser still ask for them. */
  #hashedBefore: ReadonlyMap<string, SiteFile> = new Map()
  #list = ''
  readonly #looks = new RepeatedLook(() => this.#look())
  #lastFault = ''

  constructor(tree: Tree, log: LiveReleaseLog) {
    this.#tree = tree
    this.#log = log
  }

  /** Null while there is none. */
  get current(): Site | null {
    return this.#site
  }

  /** The file at an address, without its query; undefined where there is none. */
  file(path: string): SiteFile | undefined {
    return this.#site?.files.get(path) ?? this.#hashedBefore.get(path)
  }

  /** Looks at the list now, and then as often as at the pointer of the tree. */
  follow(intervalMs: number): Promise<void> {
    return this.#looks.follow(intervalMs)
  }

  stop(): void {
    this.#looks.stop()
  }

  /** Takes up the site that the list names, if it is another. */
  refresh(): Promise<void> {
    return this.#looks.now()
  }

  async #look(): Promise<void> {
    try {
      const list = await readSiteList(this.#tree)
      if (list !== this.#list) {
        const site = await openSite(this.#tree, list)
        this.#hashedBefore = new Map([...(this.#site?.files ?? [])].filter(([, file]) => file.isHashed))
        this.#site = site
        this.#list = list
        this.#log.info('the developer site is in service')
      }
      this.#lastFault = ''
    } catch (error) {
      this.#tell(error as Error)
    }
  }

  #tell(error: Error): void {
    // A tree without a site is served as well.
    if (error instanceof MissingFile && !this.#site) return
    if (error.message !== this.#lastFault) this.#log.error(`${error.message}; the site stays as it is`)
    this.#lastFault = error.message
  }
}
