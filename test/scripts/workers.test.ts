import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import type { MeterStore } from '#metering/store.ts'
import { Flood, type FloodAnswer } from '../harness/flood.ts'
import { faultRounds } from '../harness/fault-rounds.ts'
import { send, type HttpAnswer } from '../harness/http-client.ts'
import { redisProgram, startRedis, type RedisServer } from '../harness/redis-server.ts'
import { sharedServedFolder, startServe, type ServeProcess } from '../harness/serve-process.ts'
import { amplePlan } from '../harness/service.ts'
import { sendRaw } from '../proxy/http/raw-request.ts'
import { run } from '../harness/command.ts'

// Servers and commands are started by the dozen, perhaps on a busy machine.

const hundred = { name: 'hundred', perPeriod: 100, perMinute: 1_000_000 }
const sixty = { name: 'sixty', perPeriod: null, perMinute: 60 }
const plans = [...defaultPlans, amplePlan, hundred, sixty]
const lookUp = '/v1/clips/cat-sitter'

const folder = sharedServedFolder(plans)

/** Servers that share one store. */
interface Site {
  servers: ServeProcess[]
  store: string
}

async function startSite(store: string, servers: number, workers: number): Promise<Site> {
  const start = () => startServe({ folder, store, workers })
  return { store, servers: await Promise.all(Array.from({ length: servers }, start)) }
}

async function endSite(site: Site): Promise<void> {
  await Promise.all(site.servers.map((server) => server.kill()))
}

/** A site for the running test. */
async function site(workers: number, store = folder.freshStore()): Promise<Site> {
  const started = await startSite(store, 1, workers)
  onTestFinished(() => endSite(started))
  return started
}

/** Sends so many look-ups over 64 connections, by each key in turn, and gives the answers. */
async function lookUpAtOnce(
  { servers }: Site,
  keys: readonly string[],
  count: number,
): Promise<FloodAnswer[]> {
  const answers: FloodAnswer[] = []
  let next = 0
  const load = new Flood({
    ports: servers.map(({ port }) => port),
    connections: 64,
    next: () => (next < count ? { path: lookUp, key: keys[next++ % keys.length]! } : null),
    onAnswer: (answer) => answers.push(answer),
  })
  await load.done
  return answers
}

function countExactly(start: () => Promise<Site>): void {
  let site: Site
  let store: MeterStore
  let accounts = 0
  beforeAll(async () => {
    site = await start()
    store = await openStore(site.store, { plans, clock: systemClock, mayCreate: true })
  })
  afterAll(async () => {
    await store?.close()
    if (site) await endSite(site)
  })

  /** Keys of an account that nobody has used. */
  async function freshKeys(plan: string, count: number): Promise<string[]> {
    const context = { store, plans, clock: systemClock, random: randomBytes }
    const account = `account-${accounts++}`
    const keys: string[] = []
    while (keys.length < count) keys.push((await createKey(context, { account, plan })).key)
    return keys
  }

  test('700 requests at once on a quota of 100 with three keys: exactly 100 admitted, again and again', async () => {
    for (let round = 0; round < faultRounds(10); round++) {
      const keys = await freshKeys('hundred', 3)
      const answers = await lookUpAtOnce(site, keys, 700)
      const outcomes = Map.groupBy(answers, ({ status, text }) =>
        status === 200 ? 'admitted' : JSON.parse(text).error.code,
      )
      expect(
        [...outcomes].map(([code, all]) => [code, all.length] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
      ).toEqual([
        ['admitted', 100],
        ['quota_exceeded', 600],
      ])
      for (const { origin } of site.servers)
        for (const key of keys)
          expect((await send(origin, '/v1/usage', { key })).json).toMatchObject({ requests: 100, limit: 100 })
    }
  })

  test('300 requests at once by a key with 60 a minute: exactly 60 admitted in each minute that they fell into', async () => {
    const [key] = await freshKeys('sixty', 1)
    const answers = await lookUpAtOnce(site, [key!], 300)
    expect(answers).toHaveLength(300)
    // The minute may roll over meanwhile: each window for itself is exact.
    for (const inWindow of Map.groupBy(answers, ({ headers }) => headers['x-ratelimit-reset']).values()) {
      const admitted = inWindow.filter(({ status }) => status === 200)
      expect(admitted).toHaveLength(Math.min(60, inWindow.length))
      const left = admitted
        .map(({ headers }) => Number(headers['x-ratelimit-remaining']))
        .sort((a, b) => b - a)
      expect(left).toEqual(left.map((_, i) => 59 - i))
    }
  })
}

describe.each([1, 4])('%i workers on one SQLite file', (workers) => {
  countExactly(() => startSite(folder.freshStore(), 1, workers))
})

describe.skipIf(!redisProgram)('two servers on one Redis', () => {
  let redis: RedisServer
  afterAll(() => redis?.end())
  countExactly(async () => {
    redis = await startRedis()
    // A service does not make it.
    await (await openStore(redis.url, { plans, clock: systemClock, mayCreate: true })).close()
    return await startSite(redis.url, 2, 1)
  })
})

/**
 * Connections to every worker. The kernel spreads them by their addresses: of so many all go to one
 * of two workers once in 32,768 times.
 */
async function connectToAll(
  { servers: [server] }: Site,
  workers: number,
  key: string,
): Promise<Connection[]> {
  const connections: Connection[] = []
  for (let i = 0; i < workers * 8; i++) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    await send(server!.origin, '/v1/usage', { key, agent })
    const socket = Object.values(agent.freeSockets)[0]![0]! as Socket
    connections.push({ agent, closed: once(socket, 'close') })
  }
  return connections
}

interface Connection {
  agent: Agent
  closed: Promise<unknown>
}

test('what the command line changes holds on the next request in every worker', async () => {
  const started = await site(2)
  const [server] = started.servers as [ServeProcess]
  const command = async (...args: string[]) => {
    const place = ['--store', started.store, '--plans', folder.plansFile, '--json']
    const { code, stdout, stderr } = await run(folder.path, [...args, ...place], folder.settings)
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout) as { key: string; keyId: string }
  }
  const first = await command('keys', 'create', '--account', 'ann', '--plan', 'ample')
  const connections = await connectToAll(started, 2, first.key)
  const everywhere = async (key: string) => {
    const told: unknown[] = []
    for (const { agent } of connections) {
      const { status, headers } = await send(server.origin, lookUp, { key, agent })
      told.push(status === 401 ? status : headers['x-ratelimit-limit'])
    }
    return [...new Set(told)]
  }
  const ample = [String(amplePlan.perMinute)]
  expect(await everywhere(first.key)).toEqual(ample)

  const second = await command('keys', 'create', '--account', 'ann')
  expect(await everywhere(second.key)).toEqual(ample)
  await command('keys', 'disable', second.keyId)
  expect(await everywhere(second.key)).toEqual([401])
  await command('keys', 'enable', second.keyId)
  expect(await everywhere(second.key)).toEqual(ample)
  const third = await command('keys', 'rotate', first.keyId)
  expect(await everywhere(first.key)).toEqual([401])
  expect(await everywhere(third.key)).toEqual(ample)
  await command('accounts', 'set-plan', 'ann', 'hundred')
  expect(await everywhere(second.key)).toEqual([String(hundred.perMinute)])
  await command('accounts', 'set-plan', 'ann', 'trial')
  expect(await everywhere(third.key)).toEqual(['60'])

  // These were connections to every worker indeed: some end with each.
  const open = new Set(connections.map(({ closed }) => closed))
  for (const pid of server.workerPids()) {
    process.kill(pid, 'SIGKILL')
    open.delete((await Promise.race([...open].map((closed) => closed.then(() => closed)))) as never)
  }
})

describe('a server with two workers', () => {
  /** A key of a store that is served. */
  async function keyOf({ store: url }: Site): Promise<string> {
    const store = await openStore(url, { plans, clock: systemClock, mayCreate: true })
    const context = { store, plans, clock: systemClock, random: randomBytes }
    const { key } = await createKey(context, { account: 'ann', plan: amplePlan.name })
    await store.close()
    return key
  }

  /**
   * Holds one worker up and makes connections until one goes to the other. Gives how many requests
   * it took.
   */
  async function expectAnswersWithout(pid: number, request: () => Promise<HttpAnswer>): Promise<number> {
    process.kill(pid, 'SIGSTOP')
    const all: Promise<HttpAnswer>[] = []
    let first: HttpAnswer | undefined
    while (!first) {
      all.push(request())
      first = await Promise.race([...all, sleep(50, undefined)])
    }
    process.kill(pid, 'SIGCONT')
    for (const { status } of await Promise.all(all)) expect(status).toBe(200)
    return all.length
  }

  /** Whose workers are killed: one for the first tests. */
  let killed: Site
  let key: string
  beforeAll(async () => {
    killed = await startSite(folder.freshStore(), 1, 2)
    key = await keyOf(killed)
  })
  afterAll(() => endSite(killed))

  test('replaces each that is killed, and goes on answering', async () => {
    const [server] = killed.servers as [ServeProcess]
    const before = server.workerPids()
    let requests = 0
    for (const pid of before) {
      const known = server.workerPids()
      process.kill(pid, 'SIGKILL')
      await server.newWorkers(known, 1)
      requests += await expectAnswersWithout(
        known.find((other) => other !== pid)!,
        () => send(server.origin, lookUp, { key, agent: new Agent() }),
      )
    }
    expect(server.workerPids()).toHaveLength(2)
    expect(server.workerPids().filter((pid) => before.includes(pid))).toEqual([])
    expect((await send(server.origin, '/v1/usage', { key })).json).toMatchObject({ requests })
  })

  test('whose workers are killed under load leaves no client waiting: it is answered, or its connection breaks', async () => {
    const [server] = killed.servers as [ServeProcess]
    let isOver = false
    let stranded = 0
    const client = async () => {
      while (!isOver) {
        const agent = new Agent()
        const answered = send(server.origin, lookUp, { key, agent }).then(
          () => true,
          () => true,
        )
        const waited = sleep(5_000, false, { ref: false })
        if (!(await Promise.race([answered, waited]))) stranded++
        agent.destroy()
      }
    }
    const clients = Array.from({ length: 24 }, client)
    for (let kill = 0; kill < faultRounds(10); kill++) {
      const known = server.workerPids()
      process.kill(known.at(-1)!, 'SIGKILL')
      await server.newWorkers(known, 1)
    }
    await sleep(200)
    isOver = true
    await Promise.all(clients)
    expect(stranded).toBe(0)
  })

  test('of which both are killed at once is soon there again, on the same port', async () => {
    const [server] = killed.servers as [ServeProcess]
    const pids = server.workerPids()
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    await server.newWorkers(pids, 2)
    const wanted = [{ path: lookUp, key }]
    const load = new Flood({
      ports: [server.port],
      connections: 1,
      isStubborn: true,
      next: () => wanted.pop() ?? null,
    })
    await load.done
    expect(load.statuses).toEqual({ 200: 1 })
  })

  test('drains on SIGTERM: what is under way in any worker is answered and counted, and it exits 0', async () => {
    const started = await site(2)
    const [server] = started.servers as [ServeProcess]
    const key = await keyOf(started)
    const busy = await connectToAll(started, 2, key)
    // While another process writes, no request can be counted.
    const other = new DatabaseSync(started.store.replace('sqlite:', ''))
    other.exec('BEGIN IMMEDIATE')
    const underWay = busy.map(({ agent }) => send(server.origin, lookUp, { key, agent }))
    // Nonsense is answered without the store: when every worker has answered it, each has read what
    // came before.
    for (let i = 0; i < busy.length; i++) await sendRaw(server.origin, 'nonsense\r\n\r\n')
    process.kill(server.pid, 'SIGTERM')
    await server.says(/SIGTERM: draining/, 3)
    other.exec('ROLLBACK')
    other.close()
    for (const answer of await Promise.all(underWay)) expect(answer.status).toBe(200)
    expect(await server.ended()).toBe(0)
    const store = await openStore(started.store, { plans, clock: systemClock, mayCreate: true })
    expect(await store.directory.quota('ann')).toMatchObject({ requests: busy.length })
    await store.close()
  })

  test('whose first process is killed ends as a whole, and the next one has its port', async () => {
    const started = await site(2)
    const [server] = started.servers as [ServeProcess]
    const key = await keyOf(started)
    process.kill(server.pid, 'SIGKILL')
    await server.ended()
    const next = await startServe({ folder, store: started.store, workers: 2, port: server.port })
    onTestFinished(() => next.kill())
    expect(await send(next.origin, lookUp, { key })).toMatchObject({ status: 200 })
  })
})
