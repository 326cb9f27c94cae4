import { expect, test } from 'vitest'
import { createKey, deleteAccount, disableOwnKey } from '#metering/administer.ts'
import { adminContextForTest } from '../harness/store.ts'

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
