import { beforeEach, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { createKey, deleteAccount, type AdminContext } from '#metering/administer.ts'
import { parseMonth, usage, usageOfAll, usageOfKey } from '#metering/usage.ts'
import { adminContextForTest } from '../harness/store.ts'
import { keyed } from './ann.ts'

const clock = { ms: 0, now: () => clock.ms }
let context: AdminContext
let key: string

/** Creates an account on 11 January, and uses two units of it. */
beforeEach(async () => {
  clock.ms = Date.UTC(2026, 0, 11, 12)
  context = await adminContextForTest(clock)
  key = (await createKey(context, { account: 'ann' })).key
  for (let i = 0; i < 2; i++) await context.store.counters.consume(keyed(key), 1)
})

test('the usage of a month shows the limits in force until its period ends, as /usage does', async () => {
  const plans = defaultPlans.map((plan) => (plan.name === 'trial' ? { ...plan, perPeriod: 500 } : plan))
  await context.store.directory.usePlans(plans)
  const inForce = { requests: 2, limit: 500, periodStart: '2026-01-11T12:00:00.000Z' }
  expect(await usage(context, 'ann')).toMatchObject(inForce)
  expect(await usage(context, 'ann', parseMonth('2026-01'))).toMatchObject(inForce)
  clock.ms = Date.UTC(2026, 1, 20)
  expect(await usage(context, 'ann', parseMonth('2026-01'))).toMatchObject({ ...inForce, limit: 20 })
})

test('a month has no period until the day on which the period begins', async () => {
  clock.ms = Date.UTC(2026, 1, 11, 11)
  const february = parseMonth('2026-02')
  await expect(usage(context, 'ann', february)).rejects.toThrow('no period that began in that month')
  clock.ms += 3_600_000
  expect(await usage(context, 'ann', february)).toMatchObject({ requests: 0 })
})

test('a period belongs to the month that contains its first millisecond', async () => {
  const [january, february, march] = ['2026-01', '2026-02', '2026-03'].map(parseMonth)
  clock.ms = february!.startMs
  await createKey(context, { account: 'bob' })
  clock.ms = march!.endMs
  await expect(usage(context, 'bob', january)).rejects.toThrow('no period that began in that month')
  const shown = { periodStart: '2026-02-01T00:00:00.000Z', periodEnd: '2026-03-01T00:00:00.000Z' }
  expect(await usage(context, 'bob', february)).toMatchObject(shown)
  expect(await usage(context, 'bob', march)).toMatchObject({ periodStart: shown.periodEnd })
})

test('a deleted account has the periods that began before or at its deletion', async () => {
  clock.ms = Date.UTC(2026, 1, 11, 12)
  await deleteAccount(context, 'ann')
  expect(await usage(context, 'ann', parseMonth('2026-02'))).toMatchObject({ requests: 0 })
  clock.ms = Date.UTC(2026, 3, 1)
  await expect(usage(context, 'ann', parseMonth('2026-03'))).rejects.toThrow('no period that began')
})

test('units that were counted while the clock was far ahead stay in the month of their period', async () => {
  const march = parseMonth('2026-03')
  clock.ms = march.endMs - 1
  await context.store.counters.consume(keyed(key), 1)
  clock.ms = Date.UTC(2026, 0, 12)
  expect(await usage(context, 'ann', march)).toMatchObject({ requests: 1 })
  expect(await usage(context, 'ann')).toMatchObject({ requests: 2 })
})

test('a past month does not need the plan of the account, which may be unknown by now', async () => {
  const { directory } = context.store
  await directory.setPlan('ann', 'gold')
  await directory.createAccount('bob', 'gold')
  clock.ms = Date.UTC(2026, 1, 11, 12)
  // No process knew the limits of bob's plan, so there is nothing to bill.
  const expected = [{ account: 'ann', plan: 'trial', requests: 2 }]
  expect(await usageOfAll(context, parseMonth('2026-01'))).toMatchObject(expected)
  await expect(usageOfAll(context)).rejects.toThrow('"ann" is on the plan "gold"')
})

test('an account that does not exist has no usage in any month', async () => {
  await expect(usage(context, 'bob', parseMonth('2026-01'))).rejects.toThrow('no account "bob"')
})

test('the usage of all accounts includes deleted accounts only if a month is given', async () => {
  await deleteAccount(context, 'ann')
  expect(await usageOfAll(context)).toEqual([])
  expect(await usageOfAll(context, parseMonth('2026-01'))).toMatchObject([{ account: 'ann', requests: 2 }])
})

test('the owner of a key sees the usage of its account', async () => {
  expect(await usageOfKey(context.store, key)).toMatchObject({ plan: 'trial', requests: 2 })
  expect(await usageOfKey(context.store, `${key}x`)).toBeNull()
})

test.each(['2026-13', '2026-00', '2026-1', '2026-011', '12026-01', '2026/01', ''])(
  '%j is not a month',
  (text) => {
    expect(() => parseMonth(text)).toThrow(`cannot read the month "${text}"`)
  },
)
