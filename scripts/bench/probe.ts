/** Runs a task (first argument) on folders in its own process, and prints its cost as JSON. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { systemClock } from '#kit/clock.ts'
import { openRelease, readCurrent } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'

export interface Cost {
  wallS: number
  /** CPU time of all threads, in seconds. */
  cpuS: number
  /** Peak resident memory, in megabytes. */
  peakMb: number
  /** Resident memory at the end, in megabytes. */
  residentMb: number
}

async function prepareBuild(corpusFolder: string, outFolder: string) {
  // Imported here, so that it takes no memory in the other tasks.
  const { build } = await import('#nightly/build.ts')
  const { youtubeUrls } = await import('#nightly/render/records.ts')
  const options = { strict: true, replace: new Set<string>(), maxShrink: 0.2, urls: youtubeUrls }
  return () => build({ corpusFolder, outFolder, ...options, clock: systemClock })
}

/**
 * The baseline for a build from scratch: reads and parses every source file of a corpus, and writes
 * files with the names and sizes of those in a tree that was built from it.
 */
function prepareReadAndWrite(corpusFolder: string, tree: string, outFolder: string) {
  const sizes = new Map(filesIn(tree).map((path) => [path, statSync(join(tree, path)).size]))
  return () => {
    for (const path of filesIn(corpusFolder)) {
      const lines = readFileSync(join(corpusFolder, path), 'utf8').trimEnd().split('\n')
      for (const line of lines) JSON.parse(line)
    }
    const bytes = Buffer.alloc(Math.max(0, ...new Set(sizes.values())), 'a')
    const folders = new Set([...sizes.keys()].map((path) => join(outFolder, path, '..')))
    for (const folder of folders) mkdirSync(folder, { recursive: true })
    for (const [path, size] of sizes) writeFileSync(join(outFolder, path), bytes.subarray(0, size))
  }
}

function filesIn(folder: string): string[] {
  return fastGlob.sync('**', { cwd: folder, dot: true })
}

async function prepareOpen(path: string) {
  const tree = new FolderTree(path)
  const id = await readCurrent(tree)
  return () => openRelease(tree, id)
}

const tasks = { build: prepareBuild, 'read and write': prepareReadAndWrite, open: prepareOpen }
const [name, ...folders] = process.argv.slice(2) as [keyof typeof tasks, string, string, string]
const runTask = await tasks[name](...folders)
const startMs = performance.now()
const startCpu = process.cpuUsage()
await runTask()
const { user, system } = process.cpuUsage(startCpu)
const cost: Cost = {
  wallS: (performance.now() - startMs) / 1000,
  cpuS: (user + system) / 1e6,
  peakMb: process.resourceUsage().maxRSS / 1024,
  residentMb: process.memoryUsage().rss / 1e6,
}
process.stdout.write(JSON.stringify(cost))
