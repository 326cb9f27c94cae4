import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteStore } from '#metering/sqlite/store.ts'
import { testClock } from '../../harness/clock.ts'
import { tempFolder } from '../../harness/temp-folder.ts'
import { addAnn, ann } from '../ann.ts'

const plans = [{ name: 'trial', perPeriod: 3, perMinute: 5 }]
/** A store at 12:00:10 of 31 January, with an account of that instant. */
async function storeOfAnn() {
  const clock = testClock('2026-01-31T12:00:10.000Z')
  const store = await SqliteStore.open(join(tempFolder(), 'store.sqlite'), { plans, clock })
  onTestFinished(() => store.close())
  await addAnn(store)
  return { store, clock }
}

test('a look at the next minute leaves no trace where the clock then steps back: the spent window stays spent', async () => {
  const { store, clock } = await storeOfAnn()
  for (let i = 0; i < 5; i++) await store.counters.consume(ann, 0)
  clock.ms += 60_000
  expect(await store.counters.peek(ann)).toMatchObject({ window: { remaining: 5 } })
  clock.ms -= 60_000
  expect(await store.counters.consume(ann, 0)).toMatchObject({ outcome: 'rate_limited' })
})

test('a look at the next period leaves no trace where the clock then steps back: the spent quota stays spent', async () => {
  const { store, clock } = await storeOfAnn()
  for (let i = 0; i < 3; i++) await store.counters.consume(ann, 1)
  clock.ms = Date.parse('2026-02-28T12:00:10.000Z')
  expect(await store.counters.peek(ann)).toMatchObject({ quota: { requests: 0 } })
  await store.counters.consume(ann, 0)
  clock.ms -= 1
  expect(await store.counters.peek(ann)).toMatchObject({ quota: { requests: 3 } })
  expect(await store.counters.consume(ann, 1)).toMatchObject({ outcome: 'quota_exceeded' })
})

test('calls of one turn share a quota on a clock that is hours before the creation of the account', async () => {
  const { store, clock } = await storeOfAnn()
  clock.ms -= 2 * 3_600_000
  const decisions = await Promise.all(Array.from({ length: 5 }, () => store.counters.consume(ann, 1)))
  expect(decisions.map(({ outcome }) => outcome)).toEqual([
    'admitted',
    'admitted',
    'admitted',
    'quota_exceeded',
    'quota_exceeded',
  ])
  expect(await store.directory.quota('ann')).toMatchObject({ requests: 3 })
})
