import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '#kit/seeded-random.ts'
import { get, keyedGet, runLoad } from './load.ts'
import { clipRecord } from './make-corpus.ts'
import { print } from './run.ts'
import { askJson, startService } from './service.ts'

const perSecond = 300
const fillPerSecond = 5_000
const connections = 16
const codings = ['br', 'zstd', 'gzip', 'identity']
/** How many varied requests are sent twice before the first minute: answers are cached then. */
const repeated = 20_000

/**
 * Sends varied traffic for some minutes, and prints what the service holds every minute: memory
 * that grows without end would show here and nowhere else.
 *
 * The caches are filled first. By the traffic alone they would fill for an hour, and a service with
 * a leak would look the same.
 */
export async function soak(folder: string, tree: string, minutes: number, words: string[]): Promise<void> {
  const service = await startService(folder, tree, ['--admin-port', '0'])
  const { release, clipCount } = await askJson<{ release: string; clipCount: number }>(service, '/v1/corpus')
  const random = seededRandom(20)
  const below = (count: number) => Math.floor(random() * count)
  const word = () => encodeURIComponent(words[below(words.length)]!)
  const clip = () => clipRecord(below(clipCount)).videoId
  const paths: (() => string)[] = [
    () => '/v1/feed',
    () => `/v1/feed?seed=s${below(1e9)}&limit=${1 + below(100)}`,
    () => `/v1/feed?seed=day-${below(50)}`,
    () => `/v1/feed?exclude=${clip()}&clipLevel=A1,B2&maxDurationS=${30 + below(150)}`,
    () => `/v1/clips/${clip()}`,
    () => `/v1/clips/${clip()}/transcript`,
    () => `/v1/clips?ids=${clip()},${clip()},nothing`,
    () => `/v1/words?q=${word().slice(0, 1 + below(5))}&limit=${1 + below(100)}`,
    () => `/v1/words?ids=${below(1000)},${below(1000)}`,
    () => `/v1/words/${word()}`,
    () => `/v1/words/${word()}/clips?limit=${1 + below(100)}`,
    () => `/v1/sentences?q=${word()}`,
    () => `/v1/sentences?q=${word()}+${word()}`,
    () => '/v1/usage',
    () => '/v1/corpus',
    () => `/v1/changes?since=${release}`,
    () => `/v1/nothing/${below(1e9)}`,
    () => `/v1/words?q=${word()}&limit=0`,
  ]
  const path = () => paths[below(paths.length)]!()
  const coding = () => ({ 'Accept-Encoding': codings[below(codings.length)]! })
  const keyed = (target: string) => keyedGet(target, service.keys[0]!, coding())
  const fileAt = (i: number) => `/v1/clips/${clipRecord(i >> 1).videoId}${i % 2 ? '/transcript' : ''}`
  await runLoad(service.port, connections, 2 * clipCount, (i) => keyed(fileAt(i)), fillPerSecond)
  const sentencesAt = (i: number) => `/v1/sentences?q=${encodeURIComponent(words[i]!)}`
  await runLoad(service.port, connections, words.length, (i) => keyed(sentencesAt(i)), fillPerSecond)
  const twice = Array.from({ length: repeated }, path)
  await runLoad(service.port, connections, 2 * repeated, (i) => keyed(twice[i >> 1]!), fillPerSecond)
  const requestAt = () => (below(20) === 0 ? get(path(), coding()) : keyed(path()))
  const load = runLoad(service.port, connections, perSecond * 60 * minutes, requestAt, perSecond)
  print('minute  resident  arrayBuffers  heap used  heap  (MB)  descriptors')
  for (let minute = 0; minute <= minutes; minute++) {
    const value = await readMetrics(service.adminPort!)
    const mb = (name: string) => (value(name) / 1e6).toFixed(1).padStart(12)
    const memory = [
      'process_resident_memory',
      'clip_lookup_array_buffers',
      'nodejs_heap_size_used',
      'nodejs_heap_size_total',
    ]
    const descriptors = readdirSync(`/proc/${service.pid}/fd`).length
    print(
      `${String(minute).padStart(6)}${memory.map((name) => mb(`${name}_bytes`)).join('')}${String(descriptors).padStart(12)}`,
    )
    if (minute < minutes) await sleep(60_000)
  }
  const { statuses } = await load
  print(`answers by status: ${JSON.stringify(statuses)}`)
}

/** The values of a service's metrics without labels, by name. */
async function readMetrics(adminPort: number): Promise<(name: string) => number> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}
