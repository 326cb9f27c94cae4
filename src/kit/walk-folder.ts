import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

interface WalkOptions {
  /** Whether to list a file with this name. */
  accepts(name: string): boolean
  /** Whether to follow links that lead out of the folder. */
  followOutside: boolean
  /** Called with a folder or link that cannot be read; without it, the error is thrown. */
  onFault?(path: string, error: NodeJS.ErrnoException): void
}

/** The files of a folder: sorted paths relative to it, with `/`. */
interface Walked {
  files: string[]
  /** Links that lead out of the folder and were not followed. */
  outside: string[]
  /**
   * Accepted names that are not regular files. They are left out, because reading a pipe or a
   * device could never end.
   */
  irregular: string[]
}

/**
 * Lists the files of a folder at any depth, each once even if several links lead to it. Leaves out
 * names that start with a dot, and `node_modules`.
 */
export async function walkFolder(
  folder: string,
  { accepts, followOutside, onFault }: WalkOptions,
): Promise<Walked> {
  const result: Walked = { files: [], outside: [], irregular: [] }
  /** The real paths of folders and files. */
  const visitedPaths = new Set<string>()
  /**
   * Links are followed last, so that files in the folder itself are listed under their own names.
   */
  const links: string[] = []
  const root = await realpath(folder)
  await list('', root)
  for (const link of links) await trying(link, () => follow(link))
  for (const paths of Object.values(result)) paths.sort()
  return result

  async function list(path: string, real: string): Promise<void> {
    if (visitedPaths.has(real)) return
    visitedPaths.add(real)
    const entries = await readdir(real, { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry
      if (name.startsWith('.') || name === 'node_modules') continue
      const inner = path === '' ? name : `${path}/${name}`
      if (entry.isSymbolicLink()) links.push(inner)
      else if (entry.isDirectory()) await trying(inner, () => list(inner, join(real, name)))
      else if (entry.isFile()) take(inner, join(real, name))
      else if (accepts(inner)) result.irregular.push(inner)
    }
  }

  function take(path: string, real: string): void {
    if (!accepts(path) || visitedPaths.has(real)) return
    visitedPaths.add(real)
    result.files.push(path)
  }

  async function follow(link: string): Promise<void> {
    const real = await realpath(join(folder, link))
    const stats = await stat(real)
    if (!stats.isDirectory() && !accepts(link)) return
    if (!followOutside && !isInside(real, root)) result.outside.push(link)
    else if (stats.isDirectory()) await list(link, real)
    else if (stats.isFile()) take(link, real)
    else result.irregular.push(link)
  }

  async function trying(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!onFault) throw error
      onFault(path, error as NodeJS.ErrnoException)
    }
  }
}

/** Whether a real path is a folder or lies below it. */
export function isInside(real: string, folder: string): boolean {
  return real === folder || real.startsWith(folder + sep)
}
