import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import type { Usage } from '#contract/usage.ts'
import { systemClock } from '#kit/clock.ts'
import * as administer from '#metering/administer.ts'
import { copyStore } from '#metering/copy-store.ts'
import { keyDigest } from '#metering/key.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { openStore } from '#metering/open-store.ts'
import { createAdminServer } from '#proxy/admin/server.ts'
import { run } from '../harness/command.ts'
import { redisProgram, startRedis, type RedisServer } from '../harness/redis-server.ts'
import { tempFolder } from '../harness/temp-folder.ts'

/**
 * What every way to ask for the usage of a past month says, with the clock of a store that moves
 * through some months up to now, and commands that have the real clock.
 */

/** An instant so many months ago: the first of a month, with so many days added. */
function monthsAgo(months: number, days = 0): number {
  const now = new Date(systemClock.now())
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1 + days, 12)
}

/** The month that was so many months ago: YYYY-MM. */
const monthName = (months: number) => new Date(monthsAgo(months)).toISOString().slice(0, 7)

let redis: Promise<RedisServer> | undefined
let databases = 0
afterAll(async () => await (await redis)?.end())

const kinds: Record<string, (folder: string) => Promise<string>> = {
  SQLite: async (folder) => `sqlite:${join(folder, `${databases++}.sqlite`)}`,
  ...(redisProgram && { Redis: async () => `${(await (redis ??= startRedis())).url}/${databases++}` }),
}

type AccountUsage = Usage & { account: string }
type KeyUsage = { keyId: string; name: string | null; requests: number }
/** What an account has in a month: of each key in the order of creation, and together. */
type Expected = Pick<AccountUsage, 'account' | 'plan' | 'requests'> & { byKey: number[] }

const limitOf = (plan: string) => defaultPlans.find(({ name }) => name === plan)!.perPeriod

describe.each(Object.entries(kinds))('The usage of past months on %s', (_, newUrl) => {
  let folder: string
  let url: string
  let store: MeterStore
  let context: administer.AdminContext
  const clock = { ms: 0, now: () => clock.ms }

  const open = async (at: string) => {
    const opened = await openStore(at, {
      plans: defaultPlans,
      clock,
      time: 'clock',
      mayCreate: true,
      patienceMs: 10_000,
    })
    onTestFinished(() => opened.close())
    return opened
  }

  beforeEach(async () => {
    folder = tempFolder()
    url = await newUrl(folder)
    clock.ms = monthsAgo(4, 10)
    store = await open(url)
    context = { store, plans: defaultPlans }
  })

  const newKey = async (account: string, plan?: string) =>
    (await administer.createKey(context, { account, ...(plan && { plan }) })).key

  async function spend(key: string, units: number, atMs = clock.ms): Promise<void> {
    clock.ms = atMs
    for (let i = 0; i < units; i++)
      expect(await store.counters.consume({ kind: 'key', digest: keyDigest(key) }, 1)).toMatchObject({
        outcome: 'admitted',
      })
  }

  const command = (...args: string[]) => run(folder, [...args, '--store', url])

  async function json<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await command(...args, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout) as T
  }

  /** Asks the admin API of a store with the real time. */
  async function withAdminApi(
    work: (get: (path: string) => Promise<{ status: number; json: unknown }>) => Promise<void>,
  ): Promise<void> {
    const real = await openStore(url, { plans: defaultPlans, clock: systemClock })
    const token = 'a-token-of-the-operator'
    const log = { error: (...line: unknown[]) => expect.unreachable(String(line)) }
    const server = createAdminServer(async () => ({ processes: [], metrics: [], restarts: 0 }), {
      token,
      context: { store: real, plans: defaultPlans },
      log,
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    try {
      await work(async (path) => {
        const headers = { authorization: `Bearer ${token}` }
        const answer = await fetch(`http://127.0.0.1:${port}/admin/v1${path}`, { headers })
        return { status: answer.status, json: await answer.json() }
      })
    } finally {
      server.close()
      server.closeAllConnections()
      await real.close()
    }
  }

  /** Checks that all ways to ask for a month agree on it: each account once, in this order. */
  async function expectMonth(months: number, expected: readonly Expected[]): Promise<void> {
    const month = monthName(months)
    const period = ['--period', month]
    const all = await json<AccountUsage[]>('accounts', 'usage', '--all', ...period)
    expect(all.map(({ account, plan, requests, limit }) => [account, plan, requests, limit])).toEqual(
      expected.map(({ account, plan, requests }) => [account, plan, requests, limitOf(plan)]),
    )
    for (const { periodStart } of all) expect(periodStart.slice(0, 7)).toBe(month)
    const { stdout } = await command('accounts', 'usage', '--all', ...period, '--csv')
    const lines = all.map((usage) =>
      [
        usage.account,
        usage.plan,
        usage.periodStart,
        usage.periodEnd,
        usage.requests,
        usage.limit,
        usage.rateLimitPerMinute,
      ].join(','),
    )
    expect(stdout.trim().split('\r\n').slice(1)).toEqual(lines)
    await withAdminApi(async (get) => {
      expect((await get(`/usage?period=${month}`)).json).toEqual(all)
      for (const [i, { account, byKey }] of expected.entries()) {
        const { account: _, ...usage } = all[i]!
        expect(await json('accounts', 'usage', account, ...period)).toEqual(usage)
        expect((await get(`/accounts/${account}/usage?period=${month}`)).json).toEqual(usage)
        const keys = await json<KeyUsage[]>('accounts', 'usage', account, '--by-key', ...period)
        expect(keys.map(({ requests }) => requests)).toEqual(byKey)
        expect((await get(`/accounts/${account}/usage-by-key?period=${month}`)).json).toEqual(keys)
      }
    })
  }

  /** Checks that an account has no period that began in a month, whoever is asked. */
  async function expectNone(months: number, account: string): Promise<void> {
    const month = monthName(months)
    for (const byKey of [[], ['--by-key']]) {
      const args = ['accounts', 'usage', account, ...byKey, '--period', month]
      expect(await command(...args)).toMatchObject({ code: 1, stdout: '' })
    }
    const all = await json<AccountUsage[]>('accounts', 'usage', '--all', '--period', month)
    expect(all.map((usage) => usage.account)).not.toContain(account)
    await withAdminApi(async (get) => {
      for (const path of ['usage', 'usage-by-key'])
        expect((await get(`/accounts/${account}/${path}?period=${month}`)).status).toBeGreaterThanOrEqual(400)
    })
  }

  const ann = (requests: number, plan = 'trial', byKey = [requests]): Expected => ({
    account: 'ann',
    plan,
    requests,
    byKey,
  })

  test('are those of each period, also one without requests, and the running one has its own', async () => {
    const key = await newKey('ann')
    await spend(key, 7)
    await spend(key, 5, monthsAgo(2, 10))
    await spend(key, 3, systemClock.now())
    await expectNone(5, 'ann')
    await expectMonth(4, [ann(7)])
    await expectMonth(3, [ann(0)])
    await expectMonth(2, [ann(5)])
    expect(await json('accounts', 'usage', 'ann')).toMatchObject({ requests: 3 })
    expect(await json('accounts', 'usage', '--all')).toMatchObject([{ account: 'ann', requests: 3 }])
    await expectNone(-1, 'ann')
  })

  test('keep the plan that was in force in them when the plan changes', async () => {
    const key = await newKey('ann')
    await spend(key, 2)
    clock.ms = monthsAgo(2, 20)
    await administer.setPlan(context, 'ann', 'growth')
    await spend(key, 4, monthsAgo(1, 20))
    await expectMonth(4, [ann(2)])
    await expectMonth(3, [ann(0)])
    await expectMonth(2, [ann(0, 'growth')])
    await expectMonth(1, [ann(4, 'growth')])
  })

  test('go with a renamed account, and the old name can be given to another', async () => {
    const key = await newKey('ann')
    await spend(key, 2)
    clock.ms = monthsAgo(3, 20)
    await administer.renameAccount(context, 'ann', 'anna')
    await spend(key, 3)
    clock.ms = monthsAgo(2, 5)
    await spend(await newKey('ann', 'starter'), 9)
    const anna = (requests: number): Expected => ({ ...ann(requests), account: 'anna' })
    await expectMonth(4, [anna(2)])
    await expectMonth(3, [anna(3)])
    await expectMonth(2, [anna(0), ann(9, 'starter')])
    await expectNone(4, 'ann')
  })

  test('stay when an account is deleted, by key as well, and so under a name that is used again', async () => {
    const key = await newKey('ann')
    await spend(key, 2)
    await spend(await newKey('ann'), 1)
    clock.ms = monthsAgo(3, 20)
    await administer.deleteAccount(context, 'ann')
    await expectMonth(4, [ann(3, 'trial', [2, 1])])
    await expectMonth(3, [ann(0, 'trial', [0, 0])])
    await expectNone(2, 'ann')
    clock.ms = monthsAgo(2, 5)
    await spend(await newKey('ann', 'growth'), 4)
    await expectMonth(4, [ann(3, 'trial', [2, 1])])
    await expectMonth(2, [ann(4, 'growth')])
    expect(await json('keys', 'list')).toHaveLength(1)
    await administer.purgeAccount(context, 'ann')
    await expectNone(4, 'ann')
  })

  test('of two accounts that had a name in one month are listed both, and the name means the new one', async () => {
    await spend(await newKey('ann'), 2)
    await administer.deleteAccount(context, 'ann')
    clock.ms += 1000
    await spend(await newKey('ann', 'growth'), 5)
    const period = ['--period', monthName(4)]
    const all = await json<AccountUsage[]>('accounts', 'usage', '--all', ...period)
    expect(all.map(({ plan, requests }) => [plan, requests])).toEqual([
      ['trial', 2],
      ['growth', 5],
    ])
    expect(await json('accounts', 'usage', 'ann', ...period)).toMatchObject({ plan: 'growth', requests: 5 })
    expect(await json('accounts', 'usage', 'ann', '--by-key', ...period)).toMatchObject([{ requests: 5 }])
  })

  test('count every key of an account: replaced, disabled and unused ones', async () => {
    const key = await newKey('ann')
    await spend(key, 2)
    const [first] = await administer.listKeys(context)
    const next = await administer.rotateKey(context, first!.keyId, 0)
    clock.ms += 1
    await spend(next.key, 4)
    await administer.setKeyEnabled(context, next.keyId, false)
    await newKey('ann')
    await expectMonth(4, [ann(6, 'trial', [2, 4, 0])])
  })

  test('begin on the last day of a month that has no such day', async () => {
    // Of some month in the last year with 31 days: the next but one has fewer, or the next.
    const lastDay = [5, 6, 7].find((months) => new Date(monthsAgo(months, 30)).getUTCDate() === 31)!
    clock.ms = monthsAgo(lastDay, 30)
    const key = await newKey('ann')
    await spend(key, 2)
    for (let months = lastDay - 1, units = 3; months > 0; months--, units++)
      await spend(key, units, Math.min(monthsAgo(months - 1, 5), systemClock.now()))
    await expectNone(lastDay + 1, 'ann')
    await expectMonth(lastDay, [ann(2)])
    for (let months = lastDay - 1, units = 3; months > 1; months--, units++)
      await expectMonth(months, [ann(units)])
  })

  test('of an account that was created late in a month begin in that month', async () => {
    clock.ms = Date.UTC(new Date(monthsAgo(3)).getUTCFullYear(), new Date(monthsAgo(3)).getUTCMonth(), 1) - 1
    const key = await newKey('ann')
    await spend(key, 1)
    await spend(key, 6, monthsAgo(3, 3))
    await expectNone(5, 'ann')
    await expectMonth(4, [ann(7)])
  })

  test('of an account on a plan that is gone are still there', async () => {
    const key = await newKey('ann')
    await spend(key, 2)
    clock.ms = monthsAgo(2, 20)
    const plans = [...defaultPlans, { name: 'gold', perPeriod: 5, perMinute: 5 }]
    const ahead = await openStore(url, { plans, clock, time: 'clock' })
    await ahead.directory.setPlan('ann', 'gold')
    await ahead.close()
    const period = ['--period', monthName(4)]
    expect(await json('accounts', 'usage', 'ann', ...period)).toMatchObject({ plan: 'trial', requests: 2 })
    expect(await json('accounts', 'usage', '--all', ...period)).toMatchObject([{ requests: 2 }])
  })

  test('are those of the backup in a store that was restored, and go on from there', async () => {
    const key = await newKey('ann')
    await spend(key, 2)
    const backupUrl = await newUrl(folder)
    const backup = await open(backupUrl)
    clock.ms = monthsAgo(3, 11)
    await copyStore(store, backup)
    await spend(key, 4)
    await administer.setPlan(context, 'ann', 'growth')
    store = backup
    url = backupUrl
    context = { store, plans: defaultPlans }
    await spend(key, 1, monthsAgo(2, 11))
    await expectMonth(4, [ann(2)])
    await expectMonth(3, [ann(0)])
    await expectMonth(2, [ann(1)])
  })

  test('are not touched by a clock that was ahead for a while', async () => {
    const key = await newKey('ann')
    await spend(key, 2)
    await spend(key, 1, monthsAgo(2, 12))
    await spend(key, 3, monthsAgo(3, 12))
    await expectMonth(4, [ann(2)])
    await expectMonth(3, [ann(3)])
    await expectMonth(2, [ann(1)])
  })
})
