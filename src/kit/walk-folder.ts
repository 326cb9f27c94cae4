import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

interface WalkOptions {
  /** Whether a file with this name is wanted. */
  wanted(name: string): boolean
  /** Whether links that lead out of the folder are followed. */
  followOutside: boolean
  /** Called with a folder or link that cannot be read; without it, the error is thrown. */
  onFault?(path: string, error: NodeJS.ErrnoException): void
}

/** The files of a folder: paths relative to it, with `/`, sorted. */
interface Walked {
  files: string[]
  /** Links that lead out of the folder and were not followed. */
  outside: string[]
  /** Wanted, but no regular files, or links to none: reading a pipe or a device could never end. */
  irregular: string[]
}

/**
 * Lists the files of a folder at any depth, each once however many links lead to it. Names that
 * begin with a dot are left out, and so is `node_modules`.
 */
export async function walkFolder(folder: string, options: WalkOptions): Promise<Walked> {
  const walker = new FolderWalker(folder, options)
  await walker.run()
  return {
    files: walker.files.sort(),
    outside: walker.outside.sort(),
    irregular: walker.irregular.sort(),
  }
}

/** Whether a real path is that of a folder or lies below it. */
export function isInside(real: string, folder: string): boolean {
  return real === folder || real.startsWith(folder + sep)
}

class FolderWalker {
  readonly files: string[] = []
  readonly outside: string[] = []
  readonly irregular: string[] = []
  readonly #folder: string
  readonly #options: WalkOptions
  /** Folders and files by their real paths. */
  readonly #seen = new Set<string>()
  /** Followed last, so that files in the folder itself go by their own names. */
  readonly #links: string[] = []

  constructor(folder: string, options: WalkOptions) {
    this.#folder = folder
    this.#options = options
  }

  async run(): Promise<void> {
    const root = await realpath(this.#folder)
    await this.#list('', root)
    for (const link of this.#links) await this.#trying(link, () => this.#follow(link, root))
  }

  async #list(path: string, real: string): Promise<void> {
    if (this.#seen.has(real)) return
    this.#seen.add(real)
    const entries = await readdir(real, { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry
      if (name.startsWith('.') || name === 'node_modules') continue
      const inner = path === '' ? name : `${path}/${name}`
      if (entry.isSymbolicLink()) this.#links.push(inner)
      else if (entry.isDirectory()) await this.#trying(inner, () => this.#list(inner, join(real, name)))
      else if (entry.isFile()) this.#take(inner, join(real, name))
      else if (this.#options.wanted(inner)) this.irregular.push(inner)
    }
  }

  #take(path: string, real: string): void {
    if (!this.#options.wanted(path) || this.#seen.has(real)) return
    this.#seen.add(real)
    this.files.push(path)
  }

  async #follow(link: string, root: string): Promise<void> {
    const real = await realpath(join(this.#folder, link))
    const stats = await stat(real)
    const isFolder = stats.isDirectory()
    if (!isFolder && !this.#options.wanted(link)) return
    if (!this.#options.followOutside && !isInside(real, root)) this.outside.push(link)
    else if (isFolder) await this.#list(link, real)
    else if (stats.isFile()) this.#take(link, real)
    else this.irregular.push(link)
  }

  async #trying(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!this.#options.onFault) throw error
      this.#options.onFault(path, error as NodeJS.ErrnoException)
    }
  }
}
