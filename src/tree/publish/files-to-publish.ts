import { readChanges } from '#release/changes.ts'
import { namedFiles, openNamingTables, segmentFiles } from '#release/named-files.ts'
import { releaseNumber } from '#release/paths.ts'
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
  const before = new Set(await segmentsOf(tree, from!))
  return [...added, ...segments.filter((path) => !before.has(path))].sort()
}

/** The segments that a release names; none if its manifest is gone, or has another format. */
async function segmentsOf(tree: Tree, release: string): Promise<string[]> {
  try {
    return segmentFiles(await readManifest(tree, release))
  } catch (error) {
    if (error instanceof MissingFile || error instanceof SyntaxError) return []
    throw error
  }
}

async function filesOnTheWay(tree: Tree, from: string, to: string): Promise<Set<string> | null> {
  const undone: string[][] = []
  const done: Step[] = []
  let [low, high] = [from, to]
  while (low !== high) {
    const isHighNewer = releaseNumber(high) > releaseNumber(low)
    const step = await readStep(tree, isHighNewer ? high : low)
    if (!step) return null
    if (isHighNewer) [high, done[done.length]] = [step.from, step]
    else [low, undone[undone.length]] = [step.from, step.removed]
  }
  const added = new Set(undone.flat())
  for (const step of done.toReversed()) {
    for (const path of step.removed) added.delete(path)
    for (const path of step.added) added.add(path)
  }
  return added
}

interface Step {
  from: string
  added: string[]
  removed: string[]
}

async function readStep(tree: Tree, release: string): Promise<Step | null> {
  try {
    const { from, files } = await readChanges(tree, release)
    return from === null ? null : { from, ...files }
  } catch (error) {
    if (error instanceof MissingFile || error instanceof DamagedFile) return null
    throw error
  }
}
