import { execFileSync } from 'node:child_process'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Plan } from '#contract/plans.ts'
import { entriesOf } from '#metering/copy-store.ts'
import { keyDigest } from '#metering/key.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { StoreUnavailable, type Receipt, type StoreOptions, type Subject } from '#metering/store.ts'
import { openStore } from '#metering/open-store.ts'
import { errorOf } from '../../harness/error-of.ts'
import {
  ownRedis,
  redisClient,
  redisProgram,
  sharedRedis,
  startRedis,
  type RedisServer,
} from '../../harness/redis-server.ts'
import { faultRounds, longTest } from '../../harness/fault-rounds.ts'
import { storeForTest } from '../../harness/store.ts'
import { addAccount, keyed, newKey } from '../ann.ts'
import { meterStoreSuite } from '../meter-store.suite.ts'

const plans: readonly Plan[] = [
  { name: 'trial', perPeriod: 20, perMinute: 60 },
  { name: 'hundred', perPeriod: 100, perMinute: 1_000_000 },
  { name: 'open', perPeriod: null, perMinute: 1_000_000 },
]

/** A clock that stands still in 2001, so that any use of it shows. */
const clock = { now: () => 1_000_000_000_000 }
const options: StoreOptions = { plans, clock, mayCreate: true, patienceMs: 10_000 }

const openOn = (url: string, more: Partial<StoreOptions> = {}) => storeForTest(url, { ...options, ...more })

describe.skipIf(!redisProgram)('a store in Redis', () => {
  const freshUrl = sharedRedis()
  meterStoreSuite('held to the suite', async () => freshUrl())

  test('uses the server’s time, however wrong the process’s clock is', async () => {
    const url = freshUrl()
    const store = await openOn(url)
    const ahead = await openOn(url, { clock: { now: () => 4_000_000_000_000 } })
    const client = await redisClient(url)
    const beforeMs = Number((await client.time())[0]) * 1000
    await addAccount(store, 'ann', 'trial', 'a')
    const { createdAtMs } = await ahead.directory.account('ann')
    expect(createdAtMs).toBeGreaterThanOrEqual(beforeMs)
    expect(createdAtMs).toBeLessThan(beforeMs + 60_000)
    for (const [i, each] of [store, ahead].entries()) {
      const decision = await each.counters.consume(keyed('a'), 1)
      expect(decision).toMatchObject({ quota: { period: { startMs: createdAtMs }, requests: i + 1 } })
      const { resetAtS } = (decision as { window: { resetAtS: number } }).window
      expect(Math.abs(resetAtS * 1000 - beforeMs)).toBeLessThanOrEqual(120_000)
    }
  })

  test('loses no unit when a new account is renamed under traffic', async () => {
    const url = freshUrl()
    const [store, other] = [await openOn(url), await openOn(url)]
    for (let round = 0; round < faultRounds(40); round++) {
      const key = `round${round}`
      await addAccount(store, 'ann', 'open', key)
      let admitted = 0
      let isRenamed = false
      const work = async (at: MeterStore) => {
        for (let after = 0; after < 3; after += isRenamed ? 1 : 0)
          if ((await at.counters.consume(keyed(key), 1)).outcome === 'admitted') admitted++
      }
      const traffic = [store, other, store, other].map(work)
      await store.directory.renameAccount('ann', `eve ${round}`)
      isRenamed = true
      await Promise.all(traffic)
      expect(await other.directory.quota(`eve ${round}`)).toMatchObject({ requests: admitted })
      expect(admitted).toBeGreaterThanOrEqual(12)
      await expect(other.directory.quota('ann')).rejects.toThrow('no account "ann"')
    }
  })

  test('a Redis without a store is refused and left unchanged, unless a store may be created', async () => {
    const missing =
      'it has no store, or has lost it. Restore a copy of its data or, only if it never had a store, create one with "keys create" or "serve --init-store"'
    const url = freshUrl()
    const error = await errorOf(openStore(url, { ...options, mayCreate: false }))
    expect(error.message).toBe(`cannot open the store "${url}": ${missing}`)
    expect(error).not.toBeInstanceOf(StoreUnavailable)
    expect(await (await redisClient(url)).keys('*')).toEqual([])
    await openOn(url)
    await openOn(url, { mayCreate: false })
  })

  test('is opened exclusively while other databases of the server are in use, but not twice', async () => {
    const url = freshUrl()
    await openOn(freshUrl())
    await openOn(url, { exclusive: true })
    const opening = openStore(url, { ...options, exclusive: true })
    await expect(opening).rejects.toThrow('another process is using it')
  })

  describe('requests', () => {
    /** Opens a store with the account `ann`, whose key has used one unit. */
    async function storeOfAnn() {
      const url = freshUrl()
      const store = await openOn(url)
      await addAccount(store, 'ann', 'open', 'a')
      await store.counters.consume(keyed('a'), 1)
      return { store, client: await redisClient(url) }
    }

    test('of one turn of the event loop are sent together, each as one script', async () => {
      const { store, client } = await storeOfAnn()
      const reads = async () => Number(/total_reads_processed:(\d+)/.exec(await client.info('stats'))![1])
      const scripts = async () =>
        Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))![1])
      const before = { reads: await reads(), scripts: await scripts() }
      await Promise.all(Array.from({ length: 200 }, () => store.counters.consume(keyed('a'), 1)))
      expect((await scripts()) - before.scripts).toBe(200)
      expect((await reads()) - before.reads).toBeLessThan(50)
    })

    test('are sent again with the whole script if Redis has forgotten it, and count once', async () => {
      const { store, client } = await storeOfAnn()
      await client.scriptFlush()
      await Promise.all(Array.from({ length: 50 }, () => store.counters.consume(keyed('a'), 1)))
      expect(await store.directory.quota('ann')).toMatchObject({ requests: 51 })
    })
  })

  describe('its keys', () => {
    test('are permanent, except that windows expire an hour after their end, and sign-ups after two days', async () => {
      const url = freshUrl()
      const store = await openOn(url)
      await addAccount(store, 'ann', 'trial', 'a')
      await store.counters.consume(keyed('a'), 1)
      await store.counters.consume({ kind: 'address', address: '192.0.2.1', perMinute: 5 }, 0)
      await store.directory.cursorSecret()
      await store.directory.countSignUp('192.0.2.1', 5)
      const client = await redisClient(url)
      const lifetimes = new Map<string, number>()
      for (const name of await client.keys('*')) lifetimes.set(name, await client.pTTL(name))
      const id = await client.get('clip-lookup:name:{ann}')
      const windows = [`clip-lookup:window:{${id}}:key_a`, 'clip-lookup:window:{192.0.2.1}']
      for (const name of windows) {
        expect(lifetimes.get(name)).toBeGreaterThan(3_600_000)
        expect(lifetimes.get(name)).toBeLessThanOrEqual(3_660_000)
        lifetimes.delete(name)
      }
      const signUps = 'clip-lookup:sign-ups:{192.0.2.1}'
      expect(lifetimes.get(signUps)).toBeGreaterThan(2 * 86_400_000 - 60_000)
      expect(lifetimes.get(signUps)).toBeLessThanOrEqual(2 * 86_400_000)
      lifetimes.delete(signUps)
      expect([...lifetimes.keys()].sort()).toEqual([
        `clip-lookup:account:{${id}}`,
        'clip-lookup:accounts',
        `clip-lookup:counts:{${id}}`,
        `clip-lookup:counts:{${id}}:key_a`,
        'clip-lookup:cursor-secret',
        `clip-lookup:digest:{${keyDigest('a')}}`,
        'clip-lookup:key:{key_a}',
        'clip-lookup:name:{ann}',
        'clip-lookup:store',
        'clip-lookup:store-id',
      ])
      expect(new Set(lifetimes.values())).toEqual(new Set([-1]))
    })

    test('that lead to an unfinished account are not an account, and its name is available', async () => {
      const url = freshUrl()
      const store = await openOn(url)
      await addAccount(store, 'ann', 'trial', 'a')
      const client = await redisClient(url)
      await client.del(`clip-lookup:account:{${await client.get('clip-lookup:name:{ann}')}}`)
      expect(await store.counters.consume(keyed('a'), 1)).toEqual({ outcome: 'unknown_key' })
      expect(await store.directory.keys()).toEqual([])
      await expect(store.directory.setKeyEnabled('key_a', true)).rejects.toThrow('no key "key_a"')
      await addAccount(store, 'ann', 'trial', 'b')
      expect(await store.directory.accounts()).toMatchObject([{ account: 'ann' }])
    })
  })

  describe('on a cluster of three nodes', () => {
    let url: string
    const clients: Awaited<ReturnType<typeof redisClient>>[] = []
    const nodes: RedisServer[] = []
    beforeAll(async () => {
      const users = ['--requirepass', 'admin', ...'--user meter on >sec%ret ~clip-lookup:* +@all'.split(' ')]
      const start = () => startRedis(['--cluster-enabled', 'yes', '--databases', '1', ...users])
      nodes.push(...(await Promise.all([start(), start(), start()])))
      const ports = nodes.map(({ port }) => `127.0.0.1:${port}`)
      const create = ['-a', 'admin', '--no-auth-warning', '--cluster', 'create', ...ports, '--cluster-yes']
      execFileSync('redis-cli', create)
      url = nodes[0]!.url.replace('//', '//meter:sec%25ret@')
      for (const node of nodes) {
        const client = await createClient({ url: node.url, password: 'admin' }).connect()
        clients.push(client)
        await vi.waitFor(async () => expect(await client.clusterInfo()).toContain('cluster_state:ok'), 10_000)
      }
    })
    afterAll(async () => {
      for (const client of clients) client.destroy()
      for (const node of nodes) await node.end()
    })

    test('no call leaves its account’s slot, whatever the account’s name', async () => {
      const store = await openOn(url, { clock: { now: () => Date.now() } })
      for (const [i, account] of ['ann', '{ann}', '}{', 'Bäckerei Öz & Söhne', '学校'].entries()) {
        const [a, b] = [`a${i}`, `b${i}`]
        await addAccount(store, account, 'trial', a)
        const admitted = { outcome: 'admitted', quota: { account } }
        expect(await store.counters.consume(keyed(a), 1)).toMatchObject(admitted)
        expect(await store.directory.rotateKey(`key_${a}`, newKey(b), 0)).toMatchObject({ account })
        expect(await store.counters.consume(keyed(a), 1)).toEqual({ outcome: 'unknown_key' })
        const second = await store.counters.consume(keyed(b), 1)
        expect(second).toMatchObject({ outcome: 'admitted', quota: { requests: 2 } })
        await store.counters.giveBack((second as { receipt: Receipt }).receipt)
        expect(await store.directory.setPlan(account, 'open')).toMatchObject({ account, plan: 'open' })
        expect(await store.directory.setKeyEnabled(`key_${b}`, true)).toMatchObject({ plan: 'open' })
        expect(await store.counters.peek(keyed(b))).toMatchObject({
          quota: { account, requests: 1, plan: { perPeriod: null } },
        })
        expect(await store.directory.quota(account)).toMatchObject({ account, requests: 1 })
      }
      const address: Subject = { kind: 'address', address: '2001:db8::/64', perMinute: 3 }
      expect(await store.counters.consume(address, 0)).toMatchObject({ window: { remaining: 2 } })
      expect(await store.counters.peek(address)).toMatchObject({ window: { remaining: 2 } })
      expect(await store.directory.cursorSecret()).toHaveLength(32)
      const { directory } = store
      const sizes = async () => [(await directory.accounts()).length, (await directory.keys()).length]
      expect(await sizes()).toEqual([5, 10])

      const [, , , bakery] = await store.directory.accounts()
      expect(await store.directory.renameAccount('ann', 'eve')).toMatchObject({ account: 'eve' })
      const renamed = { quota: { account: 'eve', requests: 2 } }
      expect(await store.counters.consume(keyed('b0'), 1)).toMatchObject(renamed)
      const entries = await Array.fromAsync(entriesOf(store))
      expect(entries.flatMap(({ countsOfKeys }) => countsOfKeys)).toHaveLength(10)
      expect(await store.directory.deleteAccount(bakery!.account)).toEqual(bakery)
      expect(await sizes()).toEqual([4, 8])
      expect(await store.counters.consume(keyed('b3'), 1)).toEqual({ outcome: 'unknown_key' })
      const opening = openStore(url, { ...options, exclusive: true })
      await expect(opening).rejects.toThrow('another process is using it')
    })

    longTest('accounts are on each node, and every one is counted exactly', async () => {
      const store = await openOn(url)
      const names = Array.from({ length: 24 }, (_, i) => `account-${i}`)
      for (const name of names) {
        await addAccount(store, name, 'trial', name)
        const spend = Array.from({ length: 30 }, () => store.counters.consume(keyed(name), 1))
        const outcomes = (await Promise.all(spend)).map(({ outcome }) => outcome)
        expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(20)
        expect(await store.directory.quota(name)).toMatchObject({ requests: 20 })
      }
      for (const client of clients) expect(await client.dbSize()).toBeGreaterThan(20)
    })
  })

  describe('is refused, with the reason:', () => {
    async function refusalOn(url: string): Promise<Error> {
      const error = await errorOf(openStore(url, options))
      expect(error).not.toBeInstanceOf(StoreUnavailable)
      return error
    }

    const strange = 'its "clip-lookup:store" is not that of a clip-lookup store. Check the address'
    const later =
      'it has format version 7, but this program reads version 3. It was written by a later version of the program: run that version, or restore a backup from before the upgrade'

    test.each<[string, Record<string, string> | string, string]>([
      ['on a store of another version', 'clip-lookup meter 7', later],
      ['on a hash of somebody else', { shop: 'books' }, strange],
      ['on a text of somebody else', 'books', strange],
    ])('%s', async (_, held, fault) => {
      const url = freshUrl()
      const client = await redisClient(url)
      if (typeof held === 'string') await client.set('clip-lookup:store', held)
      else await client.hSet('clip-lookup:store', held)
      expect((await refusalOn(url)).message).toBe(`cannot open the store "${url}": ${fault}`)
      expect(await client.keys('*')).toEqual(['clip-lookup:store'])
    })

    test('a store that has lost its mark', async () => {
      const url = freshUrl()
      await addAccount(await openOn(url), 'ann', 'trial')
      await (await redisClient(url)).del('clip-lookup:store')
      expect((await refusalOn(url)).message).toContain('its "clip-lookup:store" is missing')
    })

    test('a Redis that evicts keys when its memory is full', async () => {
      const server = await ownRedis(['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'])
      expect((await refusalOn(server.url)).message).toContain('its maxmemory-policy is allkeys-lru')
    })

    test('but not a Redis in which others have keys, too', async () => {
      const url = freshUrl()
      const client = await redisClient(url)
      await client.set('theirs', 'books')
      await addAccount(await openOn(url), 'ann', 'trial')
      expect(await client.get('theirs')).toBe('books')
    })
  })
})
