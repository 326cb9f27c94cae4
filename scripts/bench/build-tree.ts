/**
 * Run by the benches in a process of its own: builds a tree (arguments: corpus, tree) and prints
 * what it took, as JSON.
 */
import { systemClock } from '#kit/clock.ts'
import { build } from '#build/build.ts'
import { youtubeUrls } from '#rendering/clip.ts'

export interface Built {
  buildS: number
  /** Resident memory at its highest, in megabytes. */
  buildMb: number
}

const [, , corpusFolder, outFolder] = process.argv as [string, string, string, string]
const startMs = performance.now()
await build({
  corpusFolder,
  outFolder,
  strict: true,
  replace: new Set(),
  maxShrink: 0.2,
  urls: youtubeUrls,
  clock: systemClock,
})
const built: Built = {
  buildS: (performance.now() - startMs) / 1000,
  buildMb: process.resourceUsage().maxRSS / 1024,
}
process.stdout.write(JSON.stringify(built))
