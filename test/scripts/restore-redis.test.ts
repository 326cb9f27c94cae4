import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { keyDigest } from '#metering/key.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { appendAlways, ownRedis, redisClient, redisProgram } from '../harness/redis-server.ts'
import { storeForTest } from '../harness/store.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const options = { plans: defaultPlans, clock: systemClock, mayCreate: true, patienceMs: 10_000 }

async function openWithKey(url: string) {
  const store = await storeForTest(url, options)
  const { key } = await createKey({ store, plans: defaultPlans }, { account: 'ann' })
  return { store, digest: keyDigest(key) }
}

async function spend(store: MeterStore, digest: string, units: number): Promise<void> {
  for (let i = 0; i < units; i++) await store.counters.consume({ kind: 'key', digest }, 1)
}

const requests = async ({ directory }: MeterStore) => (await directory.quota('ann')).requests

describe.skipIf(!redisProgram)('a Redis that is restored as the docs describe', () => {
  test('from its append-only file continues the counts and cursors, for a proxy that stays connected', async () => {
    const folder = tempFolder()
    const server = await ownRedis([...appendAlways, '--dir', folder])
    const { store, digest } = await openWithKey(server.url)
    const secret = await store.directory.cursorSecret()
    await spend(store, digest, 2)
    const client = await redisClient(server.url)
    // It ends with the server.
    client.on('error', () => {})
    await client.configSet('auto-aof-rewrite-percentage', '0')
    cpSync(join(folder, 'appendonlydir'), join(folder, 'backup'), { recursive: true })
    await spend(store, digest, 3)

    await server.stop()
    rmSync(join(folder, 'appendonlydir'), { recursive: true })
    cpSync(join(folder, 'backup'), join(folder, 'appendonlydir'), { recursive: true })
    await server.start()
    await expect.poll(() => requests(store).catch(() => null)).toBe(2)
    expect(await store.directory.cursorSecret()).toEqual(secret)
    await spend(store, digest, 1)
    expect(await requests(store)).toBe(3)
  })

  test('from a dump continues the counts, and keeps later counts once it appends again', async () => {
    const folder = tempFolder()
    const first = await ownRedis(['--dir', folder])
    const { store, digest } = await openWithKey(first.url)
    await spend(store, digest, 2)
    await (await redisClient(first.url)).bgSave()
    await expect.poll(() => existsSync(join(folder, 'dump.rdb'))).toBe(true)
    cpSync(join(folder, 'dump.rdb'), join(folder, 'restored', 'dump.rdb'))

    const place = ['--dir', join(folder, 'restored')]
    const second = await ownRedis(['--appendonly', 'no', ...place])
    const restored = await storeForTest(second.url, options)
    expect(await requests(restored)).toBe(2)
    const client = await redisClient(second.url)
    client.on('error', () => {})
    await client.configSet('appendonly', 'yes')
    await spend(restored, digest, 1)
    await expect
      .poll(async () => await client.info('persistence'))
      .toMatch(/aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0/)
    await restored.close()
    await second.stop()

    const third = await ownRedis(['--appendonly', 'yes', ...place])
    const reopened = await storeForTest(third.url, { ...options, mayCreate: false })
    expect(await requests(reopened)).toBe(3)
  })
})
