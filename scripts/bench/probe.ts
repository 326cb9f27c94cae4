/**
 * Run by the benches in a process of its own: prepares one thing, does it, and prints what that
 * took, as JSON. Arguments: what to do, and folders.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { systemClock } from '#kit/clock.ts'
import { openRelease, readCurrent } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'

/** What it took. */
export interface Took {
  wallS: number
  /** CPU time of all threads, in seconds. */
  cpuS: number
  /** Resident memory at its highest, in megabytes. */
  memoryMb: number
  /** Resident memory at the end, in megabytes. */
  residentMb: number
}

/** Builds a tree. */
async function buildTree(corpusFolder: string, outFolder: string) {
  // Loaded here: the other probes must not hold it in memory.
  const { build } = await import('#nightly/build.ts')
  const { youtubeUrls } = await import('#nightly/render/records.ts')
  const options = { strict: true, replace: new Set<string>(), maxShrink: 0.2, urls: youtubeUrls }
  return () => build({ corpusFolder, outFolder, ...options, clock: systemClock })
}

/**
 * The baseline for a build from nothing: reads and parses every source file of a corpus, and writes
 * files of the same names and sizes as a tree that was built from it has.
 */
function readAndWrite(corpusFolder: string, tree: string, outFolder: string) {
  const sizes = new Map(filesIn(tree).map((path) => [path, statSync(join(tree, path)).size]))
  return () => {
    for (const path of filesIn(corpusFolder)) {
      const text = readFileSync(join(corpusFolder, path), 'utf8')
      for (const line of path.endsWith('.jsonl') ? text.trimEnd().split('\n') : [text]) JSON.parse(line)
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

/** Opens the current release of a tree. */
async function open(path: string) {
  const tree = folderTree(path)
  const id = await readCurrent(tree)
  return () => openRelease(tree, id)
}

const probes = { build: buildTree, 'read and write': readAndWrite, open }
const [name, ...folders] = process.argv.slice(2) as [keyof typeof probes, string, string, string]
const work = await probes[name](...folders)
const startMs = performance.now()
const before = process.cpuUsage()
await work()
const { user, system } = process.cpuUsage(before)
const took: Took = {
  wallS: (performance.now() - startMs) / 1000,
  cpuS: (user + system) / 1e6,
  memoryMb: process.resourceUsage().maxRSS / 1024,
  residentMb: process.memoryUsage().rss / 1e6,
}
process.stdout.write(JSON.stringify(took))
