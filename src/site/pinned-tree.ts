import { currentPath } from '#release/paths.ts'
import { siteFilesPath } from '#release/site-files.ts'
import { MissingFile, type Tree } from '#release/tree.ts'

/**
 * The tree as if the pointer already named a release, and without the site that the next one
 * replaces.
 */
export function pinnedTree(tree: Tree, release: string): Tree {
  const pointer = Buffer.from(JSON.stringify({ release }))
  return {
    ...tree,
    read: async (path) => {
      if (path === siteFilesPath) throw new MissingFile(path, 'no site')
      return path === currentPath ? pointer : await tree.read(path)
    },
  }
}
