/** Run by the benches in a process of its own: builds a tree. Arguments: corpus, tree. */
import { systemClock } from '#kit/clock.ts'
import { build } from '#build/build.ts'
import { youtubeUrls } from '#rendering/clip.ts'
import { printTook } from './run.ts'

const [corpusFolder, outFolder] = process.argv.slice(2) as [string, string]
await printTook(() =>
  build({
    corpusFolder,
    outFolder,
    strict: true,
    replace: new Set(),
    maxShrink: 0.2,
    urls: youtubeUrls,
    clock: systemClock,
  }),
)
