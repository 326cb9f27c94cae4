import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { createKey, deleteAccount, disableOwnKey } from '#metering/administer.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { testClock } from '../harness/clock.ts'
import { holdStore } from '../harness/hold-store.ts'
import { adminContextForTest, storeForTest } from '../harness/store.ts'
import { tempFolder } from '../harness/temp-folder.ts'

async function storeOfAnn() {
  const context = await adminContextForTest()
  const { key } = await createKey(context, { account: 'ann' })
  return { context, store: context.store, key }
}

test('the owner of a key disables it once', async () => {
  const { store, key } = await storeOfAnn()
  expect(await disableOwnKey(store, `${key}x`)).toBe(false)
  expect(await disableOwnKey(store, key)).toBe(true)
  expect(await disableOwnKey(store, key)).toBe(false)
  expect((await store.directory.keys()).map(({ enabled }) => enabled)).toEqual([false])
})

test('a key whose account is deleted between its look-up and its disabling is not valid', async () => {
  const { context, store, key } = await storeOfAnn()
  const { directory } = store
  const setKeyEnabled = directory.setKeyEnabled.bind(directory)
  directory.setKeyEnabled = async (...parameters) => {
    await deleteAccount(context, 'ann')
    return await setKeyEnabled(...parameters)
  }
  expect(await disableOwnKey(store, key)).toBe(false)
})

test('a key that cannot be disabled because the store is unavailable is not called invalid', async () => {
  const file = join(tempFolder(), 'store.sqlite')
  const options = { plans: defaultPlans, clock: testClock(), patienceMs: 10 }
  const store = await storeForTest(`sqlite:${file}`, options)
  const { key } = await createKey({ store, plans: defaultPlans }, { account: 'ann' })
  const letGo = holdStore(file)
  await expect(disableOwnKey(store, key)).rejects.toBeInstanceOf(StoreUnavailable)
  letGo()
  expect(await disableOwnKey(store, key)).toBe(true)
})
