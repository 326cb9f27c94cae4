/**
 * Run by `bench:scale` in a process of its own: opens a release (argument: the tree) and prints how
 * long that took and what it holds in memory, as JSON.
 */
import { openRelease, readCurrent } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'

export interface Opening {
  openMs: number
  residentMb: number
}

const tree = folderTree(process.argv[2]!)
const id = await readCurrent(tree)
const startMs = performance.now()
await openRelease(tree, id)
const opening: Opening = {
  openMs: performance.now() - startMs,
  residentMb: process.memoryUsage().rss / 1e6,
}
process.stdout.write(JSON.stringify(opening))
