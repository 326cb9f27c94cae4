import { describe, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { longTest } from '../harness/fault-rounds.ts'
import { createKey, run } from '../harness/command.ts'
import { send } from '../harness/http-client.ts'
import { appendAlways, ownRedis, redisClient, redisProgram } from '../harness/redis-server.ts'
import { sharedServedFolder, type ServeProcess } from '../harness/serve-process.ts'

const folder = sharedServedFolder(defaultPlans)
const missing =
  'it has no store, or has lost it. Restore a copy of its data or, only if it never had a store, create one with "keys create" or "serve --init-store"'

function serve(store: string, settings: Record<string, string> = {}): Promise<ServeProcess> {
  return folder.serve({ store, workers: 2, settings: { CLIP_LOOKUP_ADMIN_PORT: '0', ...settings } })
}

/** Returns the status of a look-up, before and after that of a page, which needs a cursor. */
async function statuses({ origin }: ServeProcess, key: string): Promise<number[]> {
  const first = await send(origin, '/v1/words?limit=1', { key })
  if (first.status !== 200) return [first.status]
  const { nextCursor } = first.json as { nextCursor: string }
  return [200, (await send(origin, `/v1/words?limit=1&cursor=${nextCursor}`, { key })).status]
}

async function readiness({ admin }: ServeProcess): Promise<{ status: number; stores: string[] }> {
  const answer = await fetch(`${admin}/readyz`)
  const { processes } = (await answer.json()) as { processes: { store: string }[] }
  return { status: answer.status, stores: processes.map(({ store }) => store) }
}

describe.skipIf(!redisProgram)('a service', () => {
  test('that starts while Redis is down listens and returns 503, and serves once Redis is up', async () => {
    const redis = await ownRedis(appendAlways)
    const key = await createKey(folder.path, ['--store', redis.url])
    await redis.stop()
    const server = await serve(redis.url)
    await server.says(/cannot be used: connect ECONNREFUSED .*; requests get 503 until it is available again/)
    expect(await statuses(server, key)).toEqual([503])
    await server.says(/"message":"cannot [^":]+: connect ECONNREFUSED [\d.]+:\d+",/)
    expect((await readiness(server)).status).toBe(503)
    expect((await send(server.origin, '/v1/openapi.json')).status).toBe(200)
    await redis.start()
    await expect.poll(() => statuses(server, key)).toEqual([200, 200])
    await expect.poll(() => readiness(server)).toEqual({ status: 200, stores: ['ok', 'ok'] })
  })

  longTest('never creates a new store in a Redis that was emptied, and says what is missing', async () => {
    const redis = await ownRedis(appendAlways)
    const client = await redisClient(redis.url)
    const key = await createKey(folder.path, ['--store', redis.url])
    const before = await serve(redis.url)
    expect(await statuses(before, key)).toEqual([200, 200])
    await before.kill()
    await client.flushAll()
    const after = await serve(redis.url)
    await after.says(/cannot be used: it has no store, or has lost it/)
    expect(await statuses(after, key)).toEqual([503])
    const reason = expect.stringContaining(missing)
    expect(await readiness(after)).toEqual({ status: 503, stores: [reason, reason] })
    expect(await run(folder.path, ['accounts', 'list', '--store', redis.url])).toMatchObject({
      code: 1,
      stderr: `Cannot open the store "${redis.url}": ${missing}.\n`,
    })
    const doctor = await run(folder.path, ['doctor', '--store', redis.url, '--port', '0'])
    expect(doctor.stdout).toMatch(/^FAIL {2}store .*Restore a copy of its data.* or "serve --init-store"\.$/m)
    expect(await client.keys('*')).toEqual([])
    const another = await createKey(folder.path, ['--store', redis.url])
    await expect.poll(() => statuses(after, another)).toEqual([200, 200])
    expect(await statuses(after, key)).toEqual([401])
  })

  longTest('with --init-store creates the store, but none of its workers creates another later', async () => {
    const redis = await ownRedis(appendAlways)
    const client = await redisClient(redis.url)
    const server = await serve(redis.url, { CLIP_LOOKUP_INIT_STORE: '1' })
    expect(await readiness(server)).toEqual({ status: 200, stores: ['ok', 'ok'] })
    await client.flushAll()
    const [first] = server.workerPids() as [number]
    process.kill(first, 'SIGKILL')
    await server.newWorkers([first], 2)
    expect((await readiness(server)).status).toBe(503)
    // The first worker can open the window of an address, which expires, until it notices the loss.
    const keys = await client.keys('*')
    expect(keys.filter((name) => !name.startsWith('clip-lookup:window:{'))).toEqual([])
  })
})
