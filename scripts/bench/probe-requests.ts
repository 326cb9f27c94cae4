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
import { FileCache } from '#proxy/http/caches.ts'
import { isError, type Context, type Handler } from '#proxy/http/handler.ts'
import { matchPath, splitTarget } from '#proxy/http/match.ts'
import { nextCursor } from '#proxy/http/pagination.ts'
import { readParameters } from '#proxy/http/read-parameters.ts'
import { openRelease, readCurrent } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'

/**
 * How many requests are timed together: the clock counts whole microseconds, of which a request
 * takes few.
 */
const together = 20
/**
 * How often each request is made; the least counts, which is free of what else the process does
 * (collecting garbage, compiling).
 */
const passes = 5
const pageSize = 20

const contexts = await Promise.all(process.argv.slice(2).map(openContext))
const requests = contexts.map(requestsTo)
const costs: Record<string, number[]> = {}
for (const name of Object.keys(requests[0]!)) {
  const groups = await leastCpu(requests.map((kinds) => kinds[name]!))
  costs[name] = groups.map((us) => us[us.length >> 1]! / together)
}
process.stdout.write(JSON.stringify(costs))

/** By kind, the requests to one release. */
function requestsTo(context: Context): Record<string, string[]> {
  const { clips, words } = context.release
  const random = seededRandom(42)
  const { domain } = clips.rangeOf('en')
  const urls = (count: number, urlAt: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => urlAt(i))
  const anyClip = () => clips.clipId(Math.floor(random() * domain))
  const most = words.wordId(0)
  return {
    'feed, page 1': urls(2000, (i) => `/v1/feed?seed=seed-${i}`),
    'feed, page 1,000': urls(2000, (i) => {
      const position = Math.min(999 * pageSize, Math.max(0, domain - 2 * pageSize))
      const bound = { language: 'en', seed: `seed-${i}` }
      return `/v1/feed?cursor=${nextCursor('getFeed', bound, [domain, position], context)}`
    }),
    'word→clips, most covered, any page': urls(1000, (i) => {
      const position = Math.floor(random() * Math.max(1, words.clipCount(0) - pageSize))
      const level: Level[] = i % 2 ? [...levels] : ['A1', 'B1', 'C1']
      const cursor = nextCursor('listWordClips', { language: 'en', level }, [most, position], context)
      return `/v1/words/${most}/clips?cursor=${cursor}`
    }),
    clip: urls(1000, () => `/v1/clips/${anyClip()}`),
    transcript: urls(1000, () => `/v1/clips/${anyClip()}/transcript`),
  }
}

/** By release, the CPU of its requests, so many at a time, their parameters read, ascending. */
async function leastCpu(urlsOf: readonly string[][]): Promise<number[][]> {
  const count = Math.floor(urlsOf[0]!.length / together)
  const us = urlsOf.map(() => Array<number>(count).fill(Infinity))
  for (let pass = 0; pass < passes; pass++) {
    for (let i = 0; i < count; i++) {
      for (const [at, context] of contexts.entries()) {
        const urls = urlsOf[at]!.slice(i * together, (i + 1) * together)
        const before = process.cpuUsage()
        for (const url of urls) if (!(await answer(url, context))) throw new Error(`${url} is refused`)
        const { user, system } = process.cpuUsage(before)
        us[at]![i] = Math.min(us[at]![i]!, user + system)
      }
    }
  }
  return us.map((list) => list.sort((a, b) => a - b))
}

/** Opens the current release of a tree, to be asked in this process. */
async function openContext(path: string): Promise<Context> {
  const tree = folderTree(path)
  const release = await openRelease(tree, await readCurrent(tree))
  return { release, cursors: new Cursors().use(Buffer.alloc(32, 1)), files: new FileCache(), siteUrl: null }
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
