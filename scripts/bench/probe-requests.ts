/**
 * Run by `bench:scale` in a process of its own: opens releases (arguments: the trees) and prints
 * what requests cost on each, as JSON. The releases take turns, so that other work of the machine
 * affects all alike.
 */
import { levels, type Level } from '#contract/levels.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { handlers } from '#proxy/handlers.ts'
import type { Body } from '#proxy/http/body.ts'
import { Cursors } from '#proxy/http/cursor.ts'
import { FileCache } from '#proxy/http/file-cache.ts'
import { isError, type Context, type Handler } from '#proxy/http/handler.ts'
import { matchPath, splitTarget } from '#proxy/http/match.ts'
import { nextCursor } from '#proxy/http/pagination.ts'
import { readParameters } from '#proxy/http/read-parameters.ts'
import { openRelease, readCurrent } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'

/** CPU of the calls, in microseconds: the middle one and the worst. */
export interface Cost {
  median: number
  worst: number
}

/**
 * How many requests are timed together for the middle one: the clock counts whole microseconds, of
 * which a request takes few.
 */
const together = 20
/**
 * How often each request is made; the least counts, which is free of what else the process does
 * (collecting garbage, compiling).
 */
const passes = 5
const pageSize = 20

/** Requests of one kind, to one release. */
interface Asked {
  name: string
  context: Context
  urls: string[]
}

const asked = (await Promise.all(process.argv.slice(2).map(openContext))).map(requestsTo)
const costs: Record<string, Cost[]> = {}
for (const [i, { name }] of asked[0]!.entries())
  costs[name] = await costsOf(asked.map((requests) => requests[i]!))
process.stdout.write(JSON.stringify(costs))

function requestsTo(context: Context): Asked[] {
  const { clips, words } = context.release
  const random = seededRandom(42)
  const { domain } = clips.rangeOf('en')
  const { end, clipsEnd } = words.rangeOf('en')
  const requests: Asked[] = []
  const add = (name: string, count: number, urlAt: (i: number) => string) =>
    requests.push({ name, context, urls: Array.from({ length: count }, (_, i) => urlAt(i)) })

  add('feed, page 1', 2000, (i) => `/v1/feed?seed=seed-${i}`)
  add('feed, page 1,000', 2000, (i) => {
    const position = Math.min(999 * pageSize, Math.max(0, domain - 2 * pageSize))
    const bound = { language: 'en', seed: `seed-${i}` }
    return `/v1/feed?cursor=${nextCursor('getFeed', bound, [domain, position], context)}`
  })
  add('feed, 50 excluded', 1000, (i) => {
    const ids = Array.from({ length: 50 }, () => clips.clipId(Math.floor(random() * domain)))
    return `/v1/feed?seed=seed-${i}&exclude=${ids.join(',')}`
  })
  const piece = (length: number): string => {
    for (;;) {
      const word = words.word(Math.floor(random() * end))
      const from = Math.floor(random() * (word.length - length + 1))
      if (word.length >= length) return encodeURIComponent(word.slice(from, from + length))
    }
  }
  const search = (length: number) => () => `/v1/words?hasClips=false&q=${piece(length)}`
  add('search, 1 letter', 1000, search(1))
  for (const length of [2, 3, 8]) add(`search, ${length} letters`, 1000, search(length))
  add('search, 2 letters of A1 with clips', 1000, () => `/v1/words?level=A1&q=${piece(2)}`)
  add('search, a miss', 1000, (i) => `/v1/words?q=qzx${i}`)
  add('search, no text', 200, () => '/v1/words')
  const most = words.wordId(0)
  const least = words.wordId(clipsEnd - 1)
  add('word→clips, most covered, any page', 1000, (i) => {
    const position = Math.floor(random() * Math.max(1, words.clipCount(0) - pageSize))
    const level: Level[] = i % 2 ? [...levels] : ['A1', 'B1', 'C1']
    const cursor = nextCursor('listWordClips', { language: 'en', level }, [most, position], context)
    return `/v1/words/${most}/clips?cursor=${cursor}`
  })
  add('word→clips, least covered', 1000, () => `/v1/words/${least}/clips`)
  const anyClip = () => clips.clipId(Math.floor(random() * domain))
  add('clip', 1000, () => `/v1/clips/${anyClip()}`)
  add('transcript', 1000, () => `/v1/clips/${anyClip()}/transcript`)
  return requests
}

/**
 * What requests of one kind cost of each release, their parameters read: in groups for the middle
 * one, one by one for the worst.
 */
async function costsOf(kinds: readonly Asked[]): Promise<Cost[]> {
  const groups = await leastCpu(kinds, together)
  const singles = await leastCpu(kinds, 1)
  return kinds.map((_, k) => ({
    median: groups[k]![groups[k]!.length >> 1]! / together,
    worst: singles[k]!.at(-1)!,
  }))
}

/** By release, the CPU of as many requests at a time, ascending. */
async function leastCpu(kinds: readonly Asked[], atATime: number): Promise<number[][]> {
  const count = Math.floor(kinds[0]!.urls.length / atATime)
  const us = kinds.map(() => Array<number>(count).fill(Infinity))
  for (let pass = 0; pass < passes; pass++) {
    for (let i = 0; i < count; i++) {
      for (const [k, kind] of kinds.entries()) {
        const urls = kind.urls.slice(i * atATime, (i + 1) * atATime)
        const before = process.cpuUsage()
        for (const url of urls) if (!(await answer(url, kind.context))) throw new Error(`${url} is refused`)
        const used = process.cpuUsage(before)
        us[k]![i] = Math.min(us[k]![i]!, used.user + used.system)
      }
    }
  }
  return us.map((list) => list.sort((a, b) => a - b))
}

/** Opens the current release of a tree, to be asked in this process. */
async function openContext(path: string): Promise<Context> {
  const tree = folderTree(path)
  const release = await openRelease(tree, await readCurrent(tree))
  return { release, cursors: new Cursors(Buffer.alloc(32, 1)), files: new FileCache(), siteUrl: null }
}

/** The answer to a request as the proxy makes it, without its cache of answers; null if refused. */
async function answer(url: string, context: Context): Promise<Body | null> {
  const { path, query } = splitTarget(url)
  const match = matchPath(path)!
  const parameters = readParameters(match, query)
  if ('error' in parameters) return null
  const handler = handlers[match.operation.id] as Handler<unknown>
  const asked = handler.read ? handler.read(parameters.values, context) : parameters.values
  const found = isError(asked as object) ? asked : await handler.answer(asked, context)
  return isError(found as object) ? null : (found as Body)
}
