import { expect, test } from 'vitest'
import { keyDigest } from '#metering/key.ts'
import { signUp } from '#metering/sign-up.ts'
import { adminContextForTest } from '../harness/store.ts'

const address = '192.0.2.1'

test('creates a trial key that works', async () => {
  const office = await adminContextForTest()
  const outcome = await signUp(office, { account: ' ann ', address, perDay: 5 })
  if (outcome.outcome !== 'created') throw new Error(outcome.outcome)
  expect(outcome.createdKey).toMatchObject({ account: 'ann', plan: 'trial' })
  expect(await office.store.directory.account('ann')).toMatchObject({ bySignUp: true })
  const digest = keyDigest(outcome.createdKey.key)
  expect((await office.store.counters.peek({ kind: 'key', digest })).outcome).toBe('admitted')
})

test('accepts each name once, and counts a taken name, because it reveals a customer', async () => {
  const office = await adminContextForTest()
  const wanted = { account: 'ann', address, perDay: 3 }
  expect((await signUp(office, wanted)).outcome).toBe('created')
  expect((await signUp(office, wanted)).outcome).toBe('taken')
  expect((await signUp(office, { ...wanted, account: 'bob' })).outcome).toBe('created')
  const expected = { outcome: 'too_many', isTotal: false, perDay: 3, retryAfterS: 43_190 }
  expect(await signUp(office, { ...wanted, account: 'cyd' })).toEqual(expected)
  expect((await signUp(office, { ...wanted, account: 'cyd', address: '192.0.2.2' })).outcome).toBe('created')
})

test('limits an IPv6 network by its /48, too, and all addresses together', async () => {
  const office = await adminContextForTest()
  const ask = async (account: string, network: string) =>
    await signUp(office, { account, address: network, perDay: 2, totalPerDay: 4 })
  expect((await ask('a', '2001:db8:1:1::/64')).outcome).toBe('created')
  expect((await ask('b', '2001:db8:1:2::/64')).outcome).toBe('created')
  expect(await ask('c', '2001:db8:1:3::/64')).toMatchObject({ outcome: 'too_many', isTotal: false })
  expect((await ask('c', '2001:db8:2:1::/64')).outcome).toBe('created')
  expect((await ask('d', '192.0.2.1')).outcome).toBe('created')
  expect(await ask('e', '192.0.2.2')).toMatchObject({ outcome: 'too_many', isTotal: true, perDay: 4 })
})

test('never gives one name two keys, however many requests arrive at once', async () => {
  const office = await adminContextForTest()
  const asks = Array.from({ length: 8 }, () => signUp(office, { account: 'ann', address, perDay: 100 }))
  const outcomes = (await Promise.all(asks)).map(({ outcome }) => outcome)
  expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1)
  expect(await office.store.directory.keys()).toHaveLength(1)
})

test('refuses an invalid account name', async () => {
  const outcome = await signUp(await adminContextForTest(), { account: 'bigcorp\u200b', address, perDay: 5 })
  expect(outcome.outcome).toBe('bad_name')
})
