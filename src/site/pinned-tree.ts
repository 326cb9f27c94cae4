import { currentPath } from '#release/paths.ts'
import type { Tree } from '#release/tree.ts'

/** The tree as if the pointer already named a release. */
export function pinnedTree(tree: Tree, release: string): Tree {
  const pointer = Buffer.from(JSON.stringify({ release }))
  return { ...tree, read: async (path) => (path === currentPath ? pointer : await tree.read(path)) }
}
