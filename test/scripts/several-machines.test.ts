import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { rollback } from '#tree/rollback.ts'
import { buildTree, clip, corpus } from '../build/small-corpus.ts'
import { freePort } from '../harness/free-port.ts'
import { send } from '../harness/http-client.ts'
import { isNginxHere, startNginx, type NginxServer } from '../harness/nginx-server.ts'
import { appendAlways, redisProgram, startRedis, type RedisServer } from '../harness/redis-server.ts'
import {
  prepareServedFolder,
  startServe,
  type ServedFolder,
  type ServeProcess,
} from '../harness/serve-process.ts'
import { amplePlan } from '../harness/service.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'

/**
 * Two machines, as far as one has them: two proxies of two workers on one Redis, an nginx as origin
 * and one as balancer, each with the configuration that is shipped. Under load each part goes away.
 */

const plans = [{ name: 'trial', perPeriod: 20, perMinute: 60 }, amplePlan]
const clipCount = 400
/** How soon all is well again once a part is back. */
const recoveryMs = 2_000

/** Stands between proxies and origin, so that the way there can be slow or cut. */
interface Relay {
  port: number
  mode: 'pass' | 'slow' | 'cut'
  close(): void
}

async function startRelay(to: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.on('data', (bytes) => void pass(near, bytes as Buffer))
  })
  const pass = async (near: Socket, bytes: Buffer) => {
    if (relay.mode === 'slow') await setTimeout(4_000)
    if (relay.mode !== 'cut') return void near.write(bytes)
    near.write(bytes.subarray(0, bytes.length - 40))
    near.destroySoon()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const relay: Relay = {
    port: (server.address() as AddressInfo).port,
    mode: 'pass',
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return relay
}

/** An answer, or that there was none. */
interface Outcome {
  atMs: number
  status: number | 'none'
  fault?: string
}

/** Clients that ask for one transcript after another, and hold each against the file. */
class Load {
  readonly outcomes: Outcome[] = []
  readonly #stopped: Promise<unknown>
  #isOver = false

  constructor(origin: string, key: string, transcripts: ReadonlyMap<string, string>) {
    const names = [...transcripts.keys()]
    let next = 0
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      while (!this.#isOver) {
        const name = names[next++ % names.length]!
        this.outcomes.push(await ask(origin, name, key, agent, transcripts.get(name)!))
        await setTimeout(4)
      }
      agent.destroy()
    }
    this.#stopped = Promise.all(Array.from({ length: 6 }, client))
  }

  /** Those from an instant on. */
  since(atMs: number): Outcome[] {
    return this.outcomes.filter((outcome) => outcome.atMs >= atMs)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#stopped
  }
}

async function ask(origin: string, name: string, key: string, agent: Agent, text: string): Promise<Outcome> {
  const atMs = performance.now()
  try {
    const answer = await send(origin, `/v1/clips/${name}/transcript`, { key, agent })
    if (answer.status === 200 && answer.text !== text)
      return { atMs, status: 'none', fault: `wrong body of ${name}` }
    if (answer.status !== 200 && answer.status !== 503)
      return { atMs, status: answer.status, fault: answer.text }
    return { atMs, status: answer.status }
  } catch (error) {
    return { atMs, status: 'none', fault: (error as Error).message }
  }
}

const isPossible = isNginxHere && redisProgram !== undefined

describe.skipIf(!isPossible)('two proxies, one Redis, nginx as origin and as balancer', () => {
  let folder: ServedFolder
  let redis: RedisServer
  let tree: NginxServer
  let relay: Relay
  let balancer: NginxServer
  let proxies: ServeProcess[]
  let load: Load
  let key: string
  const transcripts = new Map<string, string>()

  const clipsOfNight = (from: number) =>
    Array.from({ length: clipCount }, (_, i) => clip(`v${from + i}`, `The cat runs ${i} times.`))
  const night = async (name: string, from: number) => {
    await writeSourceFolder(join(folder.path, name), corpus(clipsOfNight(from)))
    return await buildTree(join(folder.path, name), join(folder.path, 'dist'), { maxShrink: 1 })
  }
  const startProxy = (number: number) =>
    startServe({
      folder,
      store: redis.url,
      workers: 2,
      port: proxyPorts[number]!,
      dist: `http://127.0.0.1:${relay.port}/`,
    })
  let proxyPorts: number[]
  const usageOf = async (account: string) => {
    const store = await openStore(redis.url, { plans, clock: systemClock, mayCreate: true })
    const { requests } = (await store.directory.quota(account))!
    await store.close()
    return requests
  }

  beforeAll(async () => {
    folder = await prepareServedFolder(plans)
    Object.assign(folder.settings, {
      CLIP_LOOKUP_DATA_INTERVAL: '1',
      CLIP_LOOKUP_TRUST_PROXY: '127.0.0.1',
    })
    await night('first', 0)
    const dist = join(folder.path, 'dist')
    const { languages } = JSON.parse(readFileSync(join(dist, 'index.json'), 'utf8')) as {
      languages: { en: { clips: string[] } }
    }
    for (const path of languages.en.clips) {
      const { items } = JSON.parse(readFileSync(join(dist, path), 'utf8')) as {
        items: { videoId: string; transcript: string }[]
      }
      for (const { videoId, transcript } of items)
        transcripts.set(videoId, readFileSync(join(dist, transcript), 'utf8'))
    }
    redis = await startRedis(appendAlways)
    const store = await openStore(redis.url, { plans, clock: systemClock, mayCreate: true })
    const context = { store, plans, clock: systemClock, random: randomBytes }
    key = (await createKey(context, { account: 'load', plan: amplePlan.name })).key
    await store.close()
    tree = await startNginx('tree.conf', await freePort(), {
      'root /srv/clip-lookup/dist;': `root ${dist};`,
    })
    relay = await startRelay(tree.port)
    proxyPorts = [await freePort(), await freePort()]
    proxies = await Promise.all([startProxy(0), startProxy(1)])
    balancer = await startNginx('balancer.conf', await freePort(), {
      'server 10.0.0.11:8080': `server 127.0.0.1:${proxyPorts[0]}`,
      'server 10.0.0.12:8080': `server 127.0.0.1:${proxyPorts[1]}`,
    })
    load = new Load(balancer.origin, key, transcripts)
  })

  afterAll(async () => {
    await load?.stop()
    for (const proxy of proxies ?? []) await proxy.kill()
    await balancer?.end()
    relay?.close()
    await tree?.end()
    await redis?.end()
    folder?.remove()
  })

  /** Lets a part go away and come back. Meanwhile there may be 503, and soon after only 200. */
  async function disturb(away: () => Promise<void>, back: () => Promise<void>, lost = 0): Promise<Outcome[]> {
    const fromMs = performance.now()
    await away()
    await back()
    await setTimeout(recoveryMs)
    const wellMs = performance.now()
    await setTimeout(600)
    const after = load.since(wellMs)
    expect(after.length).toBeGreaterThan(5)
    expect(after.filter(({ status }) => status !== 200)).toEqual([])
    const during = load.since(fromMs)
    expect(during.filter(({ status }) => status !== 200 && status !== 503).length).toBeLessThanOrEqual(lost)
    return during
  }

  test('a proxy that is killed is not missed: the other one answers', async () => {
    // What the killed one had begun to answer ends in the middle: at most one answer a client.
    const during = await disturb(
      async () => {
        await proxies[0]!.kill()
        await setTimeout(300)
      },
      async () => void (proxies[0] = await startProxy(0)),
      6,
    )
    expect(during.filter(({ status }) => status === 503)).toEqual([])
  })

  test('a Redis that starts again costs 503 while it is away, and no count', async () => {
    const before = await usageOf('load')
    const during = await disturb(
      () => redis.stop(),
      () => redis.start(),
    )
    expect(await usageOf('load')).toBeGreaterThan(before)
    expect(during.some(({ status }) => status === 200)).toBe(true)
  })

  test('an origin that is away for 5 s, slow, or cut off in mid-body costs 503 at most', async () => {
    await disturb(
      async () => {
        await tree.stop()
        await setTimeout(5_000)
      },
      () => tree.start(),
    )
    for (const mode of ['slow', 'cut'] as const)
      await disturb(
        async () => {
          relay.mode = mode
          await setTimeout(1_000)
        },
        async () => void (relay.mode = 'pass'),
      )
  })

  test('a release is taken up by every worker within 3 s, and so is a rollback', async () => {
    const inService = async () => {
      const seen = new Set<string>()
      for (let i = 0; i < 12; i++)
        seen.add(((await send(balancer.origin, '/v1/corpus')).json as { release: string }).release)
      return [...seen]
    }
    const [first] = await inService()
    const { release: second } = await night('third', 5)
    await expect.poll(inService, { timeout: 3_000 + recoveryMs, interval: 100 }).toEqual([second])
    await rollback(join(folder.path, 'dist'))
    await expect.poll(inService, { timeout: 3_000 + recoveryMs, interval: 100 }).toEqual([first])
  })

  test('in all that no body was wrong, and every answer was counted', async () => {
    await load.stop()
    const { outcomes } = load
    expect(outcomes.filter(({ fault }) => fault?.startsWith('wrong body'))).toEqual([])
    const answered = outcomes.filter(({ status }) => status === 200 || status === 404).length
    const counted = await usageOf('load')
    expect(answered).toBeGreaterThan(500)
    expect(counted).toBeGreaterThanOrEqual(answered)
    // What was counted and not answered: requests in flight when a part was killed.
    expect(counted).toBeLessThanOrEqual(outcomes.length + 20)
  })
})
