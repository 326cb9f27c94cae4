/** Run by `bench:scale` in a process of its own: opens a release (argument: the tree) and prints what it costs, as JSON. */
import type { ByteWriter } from '#kit/byte-writer.ts'
import { quickDigest } from '#kit/quick-digest.ts'
import { openRelease, readCurrent, type Release } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import { Answers } from '#proxy/answers.ts'
import { writtenBody } from '#proxy/body.ts'
import { Cursors } from '#proxy/cursor.ts'
import { isError, type Answer, type LookUp, type Prepare } from '#proxy/handler.ts'
import { Router } from '#proxy/router.ts'
import { prepareFeed } from '#proxy/feed/answer.ts'
import { prepareSearch } from '#proxy/search/answer.ts'
import { Bodies } from '#proxy/serve/bodies.ts'
import { prepareClipFile } from '#proxy/serve/clip.ts'
import { prepareWordClips } from '#proxy/serve/word-clips.ts'
import { seededRandom } from './random.ts'

/** CPU of the calls, in microseconds: the middle one and the worst. */
interface Cost {
  median: number
  worst: number
}
export interface Probe {
  openMs: number
  residentMb: number
  costs: Record<string, Cost>
}

const tree = folderTree(process.argv[2]!)
const id = await readCurrent(tree)
const startMs = performance.now()
const release = await openRelease(tree, id)
const openMs = performance.now() - startMs
const residentMb = process.memoryUsage().rss / 1e6

/** Keeps nothing, so that every request is the first of its kind; what it costs to find nothing kept (0.2 µs) is left out. */
class NoAnswers extends Answers {
  override get(): undefined {
    return undefined
  }
  override take(_release: Release, _query: string, written: ByteWriter): Answer {
    return { body: writtenBody(written), digest: quickDigest(written.view()) }
  }
  override takeUntagged(_release: Release, _query: string, written: ByteWriter): Answer {
    return { body: writtenBody(written) }
  }
}
const uncachedFeed = prepareFeed(new NoAnswers())
const uncachedSearch = prepareSearch(new NoAnswers())
const uncachedWordClips = prepareWordClips(new NoAnswers())

const cursors = new Cursors(Buffer.alloc(32, 1))
const random = seededRandom(42)
const costs: Record<string, Cost> = {}
const { domain } = release.clips.rangeOf('en')
const pageSize = 20
/** How many requests are timed together for the middle one: the clock counts whole microseconds, of which a request takes few. */
const together = 20

await probe('feed, page 1', 2000, uncachedFeed, (i) => `/v1/feed?seed=seed-${i}`)
await probe('feed, page 1,000', 2000, uncachedFeed, (i) => {
  const position = Math.min(999 * pageSize, Math.max(0, domain - 2 * pageSize))
  return `/v1/feed?cursor=${cursors.seal('feed', [release.manifest.tree, 'en', `seed-${i}`, domain, position])}`
})
await probe('feed, 50 excluded', 1000, uncachedFeed, (i) => {
  const ids = Array.from({ length: 50 }, () => release.clips.clipId(Math.floor(random() * domain)))
  return `/v1/feed?seed=seed-${i}&exclude=${ids.join(',')}`
})
const folded = (row: number) => release.words.word(row)
const { end } = release.words.rangeOf('en')
const piece = (length: number) => () => {
  for (;;) {
    const word = folded(Math.floor(random() * end))
    if (word.length >= length) {
      const from = Math.floor(random() * (word.length - length + 1))
      return `/v1/words?hasClips=false&q=${encodeURIComponent(word.slice(from, from + length))}`
    }
  }
}
for (const length of [1, 2, 3, 8]) {
  await probe(`search, ${length} ${length === 1 ? 'letter' : 'letters'}`, 1000, uncachedSearch, piece(length))
}
await probe('search, 2 letters of A1 with clips', 1000, uncachedSearch, () =>
  `${piece(2)()}&level=A1`.replace('hasClips=false&', ''),
)
await probe('search, a miss', 1000, uncachedSearch, (i) => `/v1/words?q=qzx${i}`)
await probe('search, no text', 200, uncachedSearch, () => '/v1/words')
const most = release.words.wordId(0)
const least = release.words.wordId(release.words.rangeOf('en').clipsEnd - 1)
await probe('word→clips, most covered, any page', 1000, uncachedWordClips, (i) => {
  const position = Math.floor(random() * Math.max(1, release.words.clipCount(0) - pageSize))
  const cursor = cursors.seal('word clips', [release.manifest.tree, most, 'en', i % 2 ? 63 : 21, position])
  return `/v1/words/${most}/clips?cursor=${cursor}`
})
await probe('word→clips, least covered', 1000, uncachedWordClips, () => `/v1/words/${least}/clips`)
const anyClip = (what: string) => () =>
  `/v1/clips/${release.clips.clipId(Math.floor(random() * domain))}${what}`
const bodies = new Bodies()
await probe(
  'clip',
  1000,
  prepareClipFile((clips, row) => clips.recordFile(row), bodies),
  anyClip(''),
)
await probe(
  'transcript',
  1000,
  prepareClipFile((clips, row) => clips.transcriptFile(row), bodies),
  anyClip('/transcript'),
)
await probe(
  'transcript, hot',
  1000,
  prepareClipFile((clips, row) => clips.transcriptFile(row), bodies),
  () => `/v1/clips/${release.clips.clipId(0)}/transcript`,
)
process.stdout.write(JSON.stringify({ openMs, residentMb, costs } satisfies Probe))

/**
 * Answers so many requests, reading their parameters included: in groups for the middle one, one by one for the worst. Both in three passes, of each the least counts, which
 * is free of what else the process does (collecting garbage, compiling). The groups are others in each pass, so that no cache has what they read from the pass before.
 */
async function probe(
  name: string,
  count: number,
  prepare: Prepare,
  urlAt: (i: number) => string,
): Promise<void> {
  const passes = Array.from({ length: 3 }, (_, pass) =>
    Array.from({ length: count }, (_, i) => urlAt(pass * count + i)),
  )
  const groups = await leastOf(passes, together, prepare)
  const singles = await leastOf([passes[0]!, passes[0]!, passes[0]!], 1, prepare)
  costs[name] = { median: groups[groups.length >> 1]! / together, worst: singles.at(-1)! }
}

/** CPU of as many requests at a time, the least of the passes, ascending. */
async function leastOf(
  passes: readonly (readonly string[])[],
  atATime: number,
  prepare: Prepare,
): Promise<number[]> {
  const us = Array<number>(Math.floor(passes[0]!.length / atATime)).fill(Infinity)
  for (const urls of passes) {
    const router = new Router()
    for (const i of us.keys()) {
      const before = process.cpuUsage()
      for (const url of urls.slice(i * atATime, (i + 1) * atATime))
        await answerOf(url, router, prepare, release)
      const used = process.cpuUsage(before)
      us[i] = Math.min(us[i]!, used.user + used.system)
    }
  }
  return us.sort((a, b) => a - b)
}

async function answerOf(url: string, router: Router, prepare: Prepare, opened: Release): Promise<Answer> {
  const { parameters } = router.route(url)!
  if ('error' in parameters) throw new Error(`${url}: ${parameters.error.message}`)
  const ready = prepare(parameters.values, { release: opened, cursors })
  if (isError(ready)) throw new Error(`${url}: ${ready.message}`)
  const answer = await (ready as LookUp)()
  if (isError(answer)) throw new Error(`${url}: ${answer.message}`)
  return answer
}
