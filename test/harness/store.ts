import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { defaultPlans, type Plan } from '#contract/plans.ts'
import { systemClock, type Clock } from '#kit/clock.ts'
import * as administer from '#metering/administer.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { openStore } from '#metering/open-store.ts'
import { testClock } from './clock.ts'
import { amplePlan } from './service.ts'
import { tempFolder } from './temp-folder.ts'

/** Opens a store that is closed when the running test ends. */
export async function storeForTest(...args: Parameters<typeof openStore>): Promise<MeterStore> {
  const store = await openStore(...args)
  onTestFinished(() => store.close())
  return store
}

/** Opens a new SQLite store with the default plans, for the use cases for accounts and keys. */
export async function adminContextForTest(clock: Clock = testClock()): Promise<administer.AdminContext> {
  const url = `sqlite:${join(tempFolder(), 'store.sqlite')}`
  return { store: await storeForTest(url, { plans: defaultPlans, clock }), plans: defaultPlans }
}

/** Opens a store, which is created if there is none, uses it and closes it. */
export async function withStore<T>(
  url: string,
  plans: readonly Plan[],
  work: (context: administer.AdminContext) => Promise<T>,
): Promise<T> {
  const store = await openStore(url, { plans, clock: systemClock, mayCreate: true, patienceMs: 60_000 })
  try {
    return await work({ store, plans })
  } finally {
    await store.close()
  }
}

/** Creates a key in a store, with the account if there is none. */
export function newKey(
  url: string,
  plans: readonly Plan[],
  account = 'ann',
  plan = amplePlan.name,
): Promise<string> {
  return withStore(
    url,
    plans,
    async (context) => (await administer.createKey(context, { account, plan })).key,
  )
}

/** Returns the units of the period in force that a store contains. */
export function unitsStored(url: string, plans: readonly Plan[], account = 'ann'): Promise<number> {
  return withStore(url, plans, async ({ store }) => (await store.directory.quota(account)).requests)
}
