import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { RESP_TYPES } from 'redis'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { openStore } from '#metering/open-store.ts'
import { errorOf } from '../../harness/error-of.ts'
import { longTest } from '../../harness/fault-rounds.ts'
import { appendAlways, ownRedis, redisClient, redisProgram } from '../../harness/redis-server.ts'
import { startRelay } from '../../harness/relay.ts'
import { storeForTest } from '../../harness/store.ts'
import { addAnn, ann, keyed, newKey } from '../ann.ts'

// Long enough for a busy machine, and short enough to wait for a Redis that hangs.
const patienceMs = 3_000
const options = { plans: defaultPlans, clock: { now: () => 0 }, mayCreate: true, patienceMs }

async function storeOn(url: string): Promise<MeterStore> {
  const store = await storeForTest(url, options)
  await addAnn(store, 'growth')
  return store
}

/** Sends a command whose reply or arguments are bytes, one per character. */
async function binary(client: Awaited<ReturnType<typeof redisClient>>, ...args: string[]): Promise<string> {
  const typed = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
  const reply = await typed.sendCommand(args.map((arg) => Buffer.from(arg, 'latin1')))
  return (reply as unknown as Buffer).toString('latin1')
}

/** Returns the refusal of a call, which must be StoreUnavailable. */
async function refused(call: Promise<unknown>): Promise<StoreUnavailable> {
  const error = await errorOf(call)
  expect(error).toBeInstanceOf(StoreUnavailable)
  return error as StoreUnavailable
}

/** Makes every call of the store. None of them does harm if a hanging Redis receives it late. */
function everyCall(store: MeterStore): Promise<unknown>[] {
  const key = newKey('b')
  return [
    store.counters.consume(ann, 1),
    store.counters.consume({ kind: 'address', address: '192.0.2.1', perMinute: 3 }, 0),
    store.counters.peek(ann),
    store.counters.giveBack({ accountId: 'a', periodStartMs: 0 }),
    store.directory.cursorSecret(),
    store.directory.createAccount('bob', 'trial'),
    store.directory.account('ann'),
    store.directory.accounts(),
    store.directory.setPlan('ann', 'growth'),
    store.directory.quota('ann'),
    store.directory.addKey('ann', key),
    store.directory.keys(),
    store.directory.setKeyEnabled('key_a', true),
    store.directory.rotateKey('key_x', key, 0),
  ]
}

/** Sends requests until one is admitted again. */
async function isServedAgain(store: MeterStore): Promise<void> {
  const outcome = async () => (await store.counters.consume(ann, 1)).outcome
  await expect.poll(outcome).toBe('admitted')
}

/** No call waits for Redis, because it would never end here. */
async function allRefused(store: MeterStore): Promise<void> {
  await Promise.all(everyCall(store).map(refused))
}

/** Calls `consume`, and returns the message with which it is refused. */
const reason = async (store: MeterStore) => (await refused(store.counters.consume(ann, 1))).message

describe.skipIf(!redisProgram)('a Redis', () => {
  test('that is down makes every call unavailable until it is back, with every count', async () => {
    const server = await ownRedis(appendAlways)
    const store = await storeOn(server.url)
    for (let i = 0; i < 7; i++) await store.counters.consume(ann, 1)
    await server.stop()
    await allRefused(store)
    const refusal = `cannot count the request: connect ECONNREFUSED 127.0.0.1:${server.port}`
    await expect.poll(() => reason(store)).toBe(refusal)
    await server.start()
    await isServedAgain(store)
    expect(await store.directory.quota('ann')).toMatchObject({ requests: 8 })
  })

  test('that hangs makes every call unavailable until it resumes', async () => {
    const server = await ownRedis()
    const store = await storeOn(server.url)
    process.kill(server.pid, 'SIGSTOP')
    await allRefused(store)
    process.kill(server.pid, 'SIGCONT')
    await isServedAgain(store)
  })

  longTest('that hangs when the store is opened is waited for', async () => {
    const server = await ownRedis()
    await (await storeOn(server.url)).close()
    process.kill(server.pid, 'SIGSTOP')
    const opening = openStore(server.url, { ...options, patienceMs: 60_000 })
    // A first attempt has failed by then.
    await sleep(4_000)
    process.kill(server.pid, 'SIGCONT')
    expect(await opening.then((store) => store.close())).toBeUndefined()
  })

  test('that counts a request after a refusal gets the unit refunded', async () => {
    const server = await ownRedis()
    const store = await storeOn(server.url)
    await store.counters.consume(ann, 1)
    process.kill(server.pid, 'SIGSTOP')
    await Promise.all(Array.from({ length: 10 }, () => refused(store.counters.consume(ann, 1))))
    process.kill(server.pid, 'SIGCONT')
    const client = await redisClient(server.url)
    const id = await client.get('clip-lookup:name:{ann}')
    const spent = async () => (await client.get(`clip-lookup:window:{${id}}:key_a`))!.split(' ')[1]
    // 10 if a new minute has started.
    await expect.poll(spent).toMatch(/^1[01]$/)
    const seen = () => store.counters.peek(ann).catch(() => undefined)
    await expect.poll(seen).toMatchObject({ quota: { requests: 1 } })
  })

  test('that becomes a replica is left for the new master at the same address', async () => {
    const [former, next] = [await ownRedis(['--repl-diskless-sync-delay', '0']), await ownRedis()]
    const relay = await startRelay(former.port)
    onTestFinished(relay.close)
    const [formerClient, nextClient] = [await redisClient(former.url), await redisClient(next.url)]
    const follow = (client: typeof nextClient, port: number) =>
      client.sendCommand(['REPLICAOF', '127.0.0.1', String(port)])
    const store = await storeOn(`redis://127.0.0.1:${relay.port}`)
    await follow(nextClient, former.port)
    await expect.poll(() => nextClient.info('replication')).toContain('master_link_status:up')
    await nextClient.sendCommand(['REPLICAOF', 'NO', 'ONE'])
    await follow(formerClient, next.port)
    relay.leadTo(next.port)
    expect(await reason(store)).toMatch(/^cannot count the request: READONLY/)
    await isServedAgain(store)
  })

  test('that is out of memory is unavailable, and counts nothing, until it has memory again', async () => {
    const server = await ownRedis()
    const store = await storeOn(server.url)
    const client = await redisClient(server.url)
    await client.configSet('maxmemory', '1')
    expect(await reason(store)).toMatch(/^cannot count the request: OOM/)
    expect(await store.counters.peek(ann)).toMatchObject({ quota: { requests: 0 } })
    await client.configSet('maxmemory', '0')
    const expected = { outcome: 'admitted', quota: { requests: 1 } }
    expect(await store.counters.consume(ann, 1)).toMatchObject(expected)
  })

  longTest('whose maxmemory-policy is changed is not used until it is noeviction again', async () => {
    const server = await ownRedis(['--maxmemory', '100mb'])
    const store = await storeOn(server.url)
    const client = await redisClient(server.url)
    await store.counters.consume(ann, 1)
    await client.configSet('maxmemory-policy', 'allkeys-lru')
    const faultOf = () =>
      store.counters.peek(ann).then(
        () => '',
        (error: Error) => error.message,
      )
    await expect.poll(faultOf).toContain('its maxmemory-policy is allkeys-lru')
    await client.configSet('maxmemory-policy', 'noeviction')
    await isServedAgain(store)
  })

  test('that loads its data is unavailable until it has finished', async () => {
    const debug = ['--enable-debug-command', 'yes', '--loading-process-events-interval-bytes', '1024']
    const server = await ownRedis(debug)
    const store = await storeOn(server.url)
    const [client, loader] = [await redisClient(server.url), await redisClient(server.url)]
    for (let i = 0; i < 1000; i++) await client.set(`filler ${i}`, 'x'.repeat(100))
    await client.configSet('key-load-delay', '10000')
    const loaded = loader.sendCommand(['DEBUG', 'RELOAD']).catch((error: unknown) => error)
    await expect.poll(() => client.info('persistence')).toContain('loading:1')
    expect(await reason(store)).toMatch(/^cannot count the request: LOADING/)
    await client.configSet('key-load-delay', '0')
    expect(await loaded).toBe('OK')
    await isServedAgain(store)
  })

  test('that comes back empty is unavailable, and does not call its keys unknown', async () => {
    const server = await ownRedis()
    const store = await storeOn(server.url)
    await server.stop()
    await server.start()
    const lost = 'Redis has lost the store: its "clip-lookup:store-id" is gone'
    await expect.poll(() => reason(store)).toBe(`cannot count the request: ${lost}`)
    await allRefused(store)
    expect(await (await redisClient(server.url)).keys('*')).toEqual([])
  })

  longTest('that is emptied while it is connected is unavailable until its data is back', async () => {
    const server = await ownRedis()
    const store = await storeOn(server.url)
    for (let i = 0; i < 3; i++) await store.counters.consume(ann, 1)
    const client = await redisClient(server.url)
    const dumps = new Map<string, string>()
    for (const name of await client.keys('*')) dumps.set(name, await binary(client, 'DUMP', name))
    await client.flushAll()
    // This is the readiness check, which must notice before a key is looked up.
    await refused(store.counters.peek({ kind: 'address', address: 'readyz', perMinute: 1_000 }))
    await refused(store.counters.consume(ann, 1))
    await allRefused(store)
    const stranger = keyed('nobody')
    await refused(store.counters.consume(stranger, 1))
    expect(await client.keys('*')).toEqual([])
    for (const [name, dump] of dumps) await binary(client, 'RESTORE', name, '0', dump)
    await isServedAgain(store)
    expect(await store.counters.peek(ann)).toMatchObject({ quota: { requests: 4 } })
    expect(await store.counters.consume(stranger, 1)).toEqual({ outcome: 'unknown_key' })
  })

  test('that holds a different store is unavailable', async () => {
    const server = await ownRedis()
    const store = await storeOn(server.url)
    await (await redisClient(server.url)).flushAll()
    await storeOn(server.url)
    await refused(store.directory.createAccount('bob', 'trial'))
    const refusal = 'Redis has a different store than before. Restart the service to use it'
    await expect.poll(() => reason(store)).toContain(refusal)
  })

  longTest('that requires another password refuses at once, and the message repeats none', async () => {
    const server = await ownRedis(['--requirepass', 'right'])
    const url = (password: string) => server.url.replace('//', `//default:${password}@`)
    const error = await refused(openStore(url('sec%2Fret'), options))
    expect(error.message).toMatch(/^cannot open the store "redis:\/\/…@127\.0\.0\.1:\d+": WRONGPASS/)
    expect(inspect(error, { depth: null })).not.toMatch(/sec(\/|%2F)ret/)
    // Nor does a service wait for such a Redis.
    await refused(openStore(url('wrong'), { ...options, waits: true }))
    const store = await storeOn(url('right'))
    expect(await store.counters.consume(ann, 1)).toMatchObject({ outcome: 'admitted' })
  })

  test('can be closed while it is out of reach', async () => {
    const server = await ownRedis()
    const store = await storeOn(server.url)
    await server.stop()
    await refused(store.counters.consume(ann, 1))
    await store.close()
    expect(await reason(store)).toBe('cannot count the request: the store is closed')
  })
})

test.skipIf(!redisProgram).each([
  ['read-only', 'min-replicas-to-write', '1', '0'],
  ['full', 'maxmemory', '1', '0'],
])('a service waits at its start for a Redis that is %s', async (_, setting, bad, good) => {
  const server = await ownRedis()
  const client = await redisClient(server.url)
  await (await openStore(server.url, options)).close()
  await client.configSet(setting, bad)
  const warnings: string[] = []
  const log = { warn: (message: string) => void warnings.push(message) }
  const store = await storeForTest(server.url, { ...options, mayCreate: false, waits: true, log })
  expect(warnings).toEqual([expect.stringContaining('the store cannot be used')])
  await refused(store.directory.accounts())
  await client.configSet(setting, good)
  await expect.poll(() => store.directory.accounts().catch(() => null)).toEqual([])
})
