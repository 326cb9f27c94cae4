/**
 * Run by the benches in a process of its own: builds a tree (arguments: corpus, tree, and
 * `without-analysers` to leave them out) and prints what it took, as JSON.
 */
import { systemClock } from '#kit/clock.ts'
import { build } from '#build/build.ts'
import { youtubeUrls } from '#rendering/clip.ts'

export interface Built {
  buildS: number
  /** CPU time of all threads, in seconds. */
  buildCpuS: number
  /** Resident memory at its highest, in megabytes. */
  buildMb: number
}

const [, , corpusFolder, outFolder, mode] = process.argv as [string, string, string, string, string?]
const startMs = performance.now()
await build({
  corpusFolder,
  outFolder,
  strict: true,
  replace: new Set(),
  maxShrink: 0.2,
  urls: youtubeUrls,
  clock: systemClock,
  analysers: mode !== 'without-analysers',
})
const { user, system } = process.cpuUsage()
const built: Built = {
  buildS: (performance.now() - startMs) / 1000,
  buildCpuS: (user + system) / 1e6,
  buildMb: process.resourceUsage().maxRSS / 1024,
}
process.stdout.write(JSON.stringify(built))
