import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import type { Usage } from '#contract/usage.ts'
import * as administer from '#metering/administer.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { runJson } from '../harness/command.ts'
import { storeForTest } from '../harness/store.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { keyed } from '../metering/ann.ts'

/** Tests what the commands show about past months, whatever has happened to an account since. */

/** Returns a day of the year in which the store's clock moves. */
const day = (month: number, date: number) => Date.UTC(2026, month - 1, date, 12)
const monthName = (month: number) => `2026-${String(month).padStart(2, '0')}`

type AccountUsage = Usage & { account: string }
/** The units of an account in a month: in total, and of each key in the order of creation. */
type Expected = [account: string, plan: string, requests: number, ...byKey: number[]]

let folder: string
let url: string
let store: MeterStore
let context: administer.AdminContext
const clock = { ms: 0, now: () => clock.ms }

beforeEach(async () => {
  folder = tempFolder()
  clock.ms = day(1, 11)
  url = `sqlite:${join(folder, 'store.sqlite')}`
  store = await storeForTest(url, { plans: defaultPlans, clock })
  context = { store, plans: defaultPlans }
})

const newKey = async (account: string, plan?: string) =>
  (await administer.createKey(context, { account, ...(plan && { plan }) })).key

async function spend(key: string, units: number, atMs = clock.ms): Promise<void> {
  clock.ms = atMs
  for (let i = 0; i < units; i++)
    expect(await store.counters.consume(keyed(key), 1)).toMatchObject({ outcome: 'admitted' })
}

const json = <T>(...args: string[]) => runJson<T>(folder, [...args, '--store', url])

/** Checks which accounts had a period that started in a month, in this order. */
async function expectMonth(month: number, ...expected: Expected[]): Promise<void> {
  const period = ['--period', monthName(month)]
  const all = await json<AccountUsage[]>('accounts', 'usage', '--all', ...period)
  expect(all.map(({ account, plan, requests }) => [account, plan, requests])).toEqual(
    expected.map((each) => each.slice(0, 3)),
  )
  for (const [i, [account, , , ...byKey]] of expected.entries()) {
    expect(all[i]!.periodStart.slice(0, 7)).toBe(monthName(month))
    const { account: _, ...usage } = all[i]!
    expect(await json('accounts', 'usage', account, ...period)).toEqual(usage)
    const keys = await json<{ requests: number }[]>('accounts', 'usage', account, '--by-key', ...period)
    expect(keys.map(({ requests }) => requests)).toEqual(byKey)
  }
}

test('a renamed account keeps its months, and another account can take the old name', async () => {
  const key = await newKey('ann')
  await spend(key, 2)
  clock.ms = day(2, 21)
  await administer.renameAccount(context, 'ann', 'anna')
  await spend(key, 3)
  clock.ms = day(3, 6)
  await spend(await newKey('ann', 'starter'), 9)
  await expectMonth(1, ['anna', 'trial', 2, 2])
  await expectMonth(2, ['anna', 'trial', 3, 3])
  await expectMonth(3, ['anna', 'trial', 0, 0], ['ann', 'starter', 9, 9])
})

test('months stay after an account is deleted, even if its name is used again, and show the plan of their time', async () => {
  const key = await newKey('ann')
  await spend(key, 2)
  const [first] = await administer.listKeys(context)
  const next = await administer.rotateKey(context, first!.keyId, 0)
  clock.ms += 1
  await spend(next.key, 4)
  clock.ms = day(2, 21)
  await administer.setPlan(context, 'ann', 'growth')
  await administer.deleteAccount(context, 'ann')
  clock.ms = day(3, 6)
  await spend(await newKey('ann'), 5)
  await expectMonth(1, ['ann', 'trial', 6, 2, 4])
  await expectMonth(2, ['ann', 'growth', 0, 0, 0])
  await expectMonth(3, ['ann', 'trial', 5, 5])
})

test('lists both of two accounts that had a name in one month, and the name means the new one', async () => {
  await spend(await newKey('ann'), 2)
  await administer.deleteAccount(context, 'ann')
  clock.ms += 1000
  await spend(await newKey('ann', 'growth'), 5)
  const period = ['--period', monthName(1)]
  const all = await json<AccountUsage[]>('accounts', 'usage', '--all', ...period)
  expect(all.map(({ plan, requests }) => [plan, requests])).toEqual([
    ['trial', 2],
    ['growth', 5],
  ])
  expect(await json('accounts', 'usage', 'ann', ...period)).toMatchObject({ plan: 'growth', requests: 5 })
})
