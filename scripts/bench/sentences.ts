/**
 * `npm run bench:sentences`: the CPU time of a sentence search, from the query to the first 20
 * clips and the exact total, without HTTP. Phrases of 1 to 5 words are cut out of transcripts.
 * Arguments: a built tree with English clips (by default a new one of 10,000 one-minute clips), and
 * the number of phrases.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Transcript } from '#contract/transcript.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { searchFold } from '#language/folds.ts'
import { ListCache } from '#proxy/sentences/list-cache.ts'
import { toQuery } from '#proxy/sentences/query.ts'
import { rankPage } from '#proxy/sentences/rank.ts'
import { searchSegments } from '#proxy/sentences/search.ts'
import { Job } from '#proxy/turns.ts'
import { openRelease, readCurrent, type Release } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { longClips, writeCorpus } from './corpus.ts'
import { percentile, probe, runBench } from './processes.ts'

const phraseCount = Number(process.argv[3] ?? 400)
const allLevels = 0b111111

await runBench(async (folder) => {
  const path = process.argv[2] ?? buildTree(folder)
  const tree = new FolderTree(path)
  using release = await openRelease(tree, await readCurrent(tree))
  const phrases = cutPhrases(join(path, 'data', 'transcripts'))
  for (const match of ['exact', 'forms'] as const) {
    const times = await Array.fromAsync(phrases, (phrase) => searchMs(phrase, match, release))
    const [median, p99, worst] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(2))
    console.log(`match=${match}: median ${median}, 99th percentile ${p99}, worst ${worst} ms`)
  }
})

function buildTree(folder: string): string {
  const corpus = longClips(join(folder, 'sentences-corpus'))
  writeCorpus(corpus, 0, 10_000)
  probe('build', corpus.folder, join(folder, 'sentences-tree'))
  return join(folder, 'sentences-tree')
}

function cutPhrases(transcriptFolder: string): string[][] {
  const random = seededRandom(11)
  const below = (count: number) => Math.floor(random() * count)
  const files = readdirSync(transcriptFolder).sort()
  const phrases: string[][] = []
  while (phrases.length < phraseCount) {
    const file = join(transcriptFolder, files[below(files.length)]!)
    const { language, cues } = JSON.parse(readFileSync(file, 'utf8')) as Transcript
    const cue = cues[below(cues.length)]
    if (language !== 'en' || !cue || cue.words.length === 0) continue
    const start = below(cue.words.length)
    const words = cue.words.slice(start, start + 1 + below(5))
    phrases.push(words.map(({ text }) => searchFold(text, 'en')))
  }
  return phrases
}

/** Returns the CPU time of a search: the best of three, because the machine may have other work. */
async function searchMs(phrase: string[], match: 'exact' | 'forms', release: Release): Promise<number> {
  const cache = new ListCache()
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage()
    const matches = await searchSegments(toQuery(phrase, 'en', match, release), release, cache, new Job())
    rankPage(matches, release, { levelMask: allLevels, start: 0, limit: 20 })
    const { user, system } = process.cpuUsage(start)
    times.push((user + system) / 1000)
  }
  return Math.min(...times)
}
