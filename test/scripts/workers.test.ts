import { once } from 'node:events'
import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { Clients } from '../harness/clients.ts'
import { runJson } from '../harness/command.ts'
import { faultRounds, longTest } from '../harness/fault-rounds.ts'
import { holdStore } from '../harness/hold-store.ts'
import { send, type HttpAnswer } from '../harness/http-client.ts'
import { ownRedis, redisProgram } from '../harness/redis-server.ts'
import { sharedServedFolder, type ServeProcess } from '../harness/serve-process.ts'
import { amplePlan } from '../harness/service.ts'
import { newKey, unitsStored, withStore } from '../harness/store.ts'
import { sendRaw } from '../proxy/http/raw-request.ts'

const hundred = { name: 'hundred', perPeriod: 100, perMinute: 1_000_000 }
const plans = [...defaultPlans, amplePlan, hundred]
const lookUp = '/v1/clips/cat-sitter'

const folder = sharedServedFolder(plans)

/** Sends look-ups over 64 connections, with each key in turn, and returns the responses. */
async function lookUpAtOnce(
  servers: readonly ServeProcess[],
  keys: readonly string[],
  count: number,
): Promise<HttpAnswer[]> {
  const answers: HttpAnswer[] = []
  let next = 0
  const load = new Clients({
    origins: servers.map(({ origin }) => origin),
    count: 64,
    next: () => (next < count ? { path: lookUp, key: keys[next++ % keys.length]! } : null),
    onAnswer: (answer) => answers.push(answer),
  })
  await load.done
  return answers
}

const onRedis = redisProgram === undefined ? [] : [['two servers on one Redis', 2, 1] as const]

test.each([['two workers on one SQLite file', 1, 2] as const, ...onRedis])(
  '%s admit exactly 100 of 700 simultaneous requests on a quota of 100 with three keys, every time',
  async (name, count, workers) => {
    const store = name.endsWith('Redis') ? (await ownRedis()).url : folder.freshStore()
    // A service does not create a store on Redis.
    await withStore(store, plans, async () => {})
    const servers = await Promise.all(Array.from({ length: count }, () => folder.serve({ store, workers })))
    for (let round = 0; round < faultRounds(5); round++) {
      const keys: string[] = []
      while (keys.length < 3) keys.push(await newKey(store, plans, `account-${round}`, hundred.name))
      const answers = await lookUpAtOnce(servers, keys, 700)
      const outcomes = answers.map(({ status, json }) => (status === 200 ? 'admitted' : json.error.code))
      expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(100)
      expect(outcomes.filter((outcome) => outcome === 'quota_exceeded')).toHaveLength(600)
      for (const { origin } of servers)
        for (const key of keys)
          expect((await send(origin, '/v1/usage', { key })).json).toMatchObject({ requests: 100, limit: 100 })
    }
  },
)

type Connection = { agent: Agent; closed: Promise<unknown> }

/**
 * Opens eight connections per worker, so that each worker has some. With two workers, one of them
 * gets none only once in 32,768 times.
 */
async function connectToAll({ origin }: ServeProcess, workers: number, key: string): Promise<Connection[]> {
  const connections: Connection[] = []
  for (let i = 0; i < workers * 8; i++) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    await send(origin, '/v1/usage', { key, agent })
    const socket = Object.values(agent.freeSockets)[0]![0]! as Socket
    connections.push({ agent, closed: once(socket, 'close') })
  }
  return connections
}

describe('a server with two workers', () => {
  let server: ServeProcess
  let store: string
  beforeAll(async () => {
    store = folder.freshStore()
    server = await folder.start({ store, workers: 2 })
  })
  afterAll(() => server?.kill())

  test('follows changes from the command line on the next request in each of them', async () => {
    const place = ['--store', store, '--plans', folder.plansFile]
    const command = (...args: string[]) =>
      runJson<{ key: string; keyId: string }>(folder.path, [...args, ...place])
    const first = await command('keys', 'create', '--account', 'ann', '--plan', 'ample')
    const connections = await connectToAll(server, 2, first.key)
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

    // These were indeed connections to every worker: some end with each.
    const open = new Set(connections.map(({ closed }) => closed))
    const pids = server.workerPids()
    for (const pid of pids) {
      process.kill(pid, 'SIGKILL')
      open.delete((await Promise.race([...open].map((closed) => closed.then(() => closed)))) as never)
    }
    await server.newWorkers(pids, 2)
  })

  longTest('is soon back on the same port after both are killed', async () => {
    const key = await newKey(store, plans, 'eve')
    const pids = server.workerPids()
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    await server.newWorkers(pids, 2)
    expect(await send(server.origin, lookUp, { key })).toMatchObject({ status: 200 })
  })

  longTest('ends as a whole if its first process is killed, and the next one gets its port', async () => {
    const key = await newKey(store, plans, 'eve')
    process.kill(server.pid, 'SIGKILL')
    await server.ended()
    server = await folder.start({ store, workers: 2, port: server.port })
    expect(await send(server.origin, lookUp, { key })).toMatchObject({ status: 200 })
  })

  test('drains on SIGTERM: requests in progress in any worker are answered and counted, and it exits with 0', async () => {
    const key = await newKey(store, plans, 'fay')
    const busy = await connectToAll(server, 2, key)
    // While another process writes, no request can be counted.
    const letGo = holdStore(store.replace('sqlite:', ''))
    const underWay = busy.map(({ agent }) => send(server.origin, lookUp, { key, agent }))
    // Invalid bytes are answered without the store: when every worker has answered them, each has
    // read the earlier requests.
    for (let i = 0; i < busy.length; i++) await sendRaw(server.origin, 'nonsense\r\n\r\n')
    process.kill(server.pid, 'SIGTERM')
    await server.says(/SIGTERM: draining/, 3)
    letGo()
    for (const answer of await Promise.all(underWay)) expect(answer.status).toBe(200)
    expect(await server.ended()).toBe(0)
    expect(await unitsStored(store, plans, 'fay')).toBe(busy.length)
  })
})
