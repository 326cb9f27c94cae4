import { changesOnTheWay, readChanges } from '#release/changes.ts'
import { namedFiles, openNamingTables, segmentFiles } from '#release/named-files.ts'
import { readManifest } from '#release/release.ts'
import { DamagedFile, MissingFile, type Tree } from '#release/tree.ts'

/**
 * The files under `data/` that a target with the release `from` lacks for the release `to`. JSON
 * files are found by following the file lists of the releases between the two, up and down again
 * after a rollback; segments of the sentence index by comparing the two manifests. If the lists
 * cannot be followed, or `from` is null, they are all files that the release names.
 */
export async function filesToPublish(tree: Tree, from: string | null, to: string): Promise<string[]> {
  const added = from === null ? null : await filesOnTheWay(tree, from, to)
  if (!added) return [...namedFiles(await openNamingTables(tree, to))]
  const segments = segmentFiles(await readManifest(tree, to))
  const before = await readManifest(tree, from!).then(segmentFiles, (error: unknown): string[] => {
    // Its manifest is gone, or has another format.
    if (error instanceof MissingFile || error instanceof SyntaxError) return []
    throw error
  })
  const known = new Set(before)
  return [...added, ...segments.filter((path) => !known.has(path))].sort()
}

async function filesOnTheWay(tree: Tree, from: string, to: string): Promise<Set<string> | null> {
  try {
    const way = await changesOnTheWay(from, to, (release) => readChanges(tree, release))
    if (!way) return null
    const added = new Set(way.undone.flatMap(({ files }) => files.removed))
    for (const { files } of way.done) {
      for (const path of files.removed) added.delete(path)
      for (const path of files.added) added.add(path)
    }
    return added
  } catch (error) {
    if (error instanceof DamagedFile) return null
    throw error
  }
}
