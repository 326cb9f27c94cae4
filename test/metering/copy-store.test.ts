import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { formatAccount, textNames } from '#metering/account-record.ts'
import { copyStore } from '#metering/copy-store.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import type { Records } from '#metering/records.ts'
import { testClock } from '../harness/clock.ts'
import { storeForTest } from '../harness/store.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { addAccount, addAnn, ann, keyed } from './ann.ts'

const open = (): Promise<MeterStore> =>
  storeForTest(`sqlite:${join(tempFolder(), 'store.sqlite')}`, { plans: defaultPlans, clock: testClock() })

let from: MeterStore
let to: MeterStore

/** Fills a store with a deleted account, and with another one that has the same name and a key. */
beforeEach(async () => {
  from = await open()
  to = await open()
  await addAccount(from, 'ann', 'trial', 'old')
  await from.directory.deleteAccount('ann')
  await addAnn(from)
  await from.counters.consume(ann, 1)
  await from.directory.log({ actor: 'ann', action: 'keys create', details: {} })
})

test('in a copy, the name of a deleted account means the account that has it now', async () => {
  const totals = { accounts: 2, keys: 2, periods: 2, requests: 1 }
  expect(await copyStore(from, to)).toEqual(totals)
  expect(await to.directory.account('ann')).toEqual(await from.directory.account('ann'))
  expect(await to.counters.consume(ann, 1)).toMatchObject({ outcome: 'admitted', quota: { requests: 2 } })
  expect(await to.counters.consume(keyed('old'), 1)).toEqual({ outcome: 'unknown_key' })
  const [deleted] = await Array.fromAsync(to.directory.everyAccount())
  const { keyId, digest } = deleted!.keys[0]!
  for (const name of [textNames.key(keyId), textNames.digest(digest)])
    expect(await to.records.get(name)).toBeNull()
})

/** Replaces methods of the target by others, which may call the original ones. */
type Fault = (original: Pick<Records, 'append' | 'filling' | 'swap'>) => Partial<Records>

test.each<[string, string, Fault]>([
  [
    'loses the secret',
    'the secret that signs cursors is different',
    ({ swap }) => ({ swap: async (name, ...rest) => name === textNames.cursorSecret || swap(name, ...rest) }),
  ],
  ['loses counts', 'the account "ann" is different', () => ({ addCounts: async () => {} })],
  [
    'loses changes',
    'the log of changes is different',
    ({ append }) => ({ append: async (list, line) => (list === 'changes' ? undefined : append(list, line)) }),
  ],
  [
    'gets an account from elsewhere',
    'it has records that the original does not have',
    ({ append, swap, filling }) => ({
      filling: (work) =>
        filling(async () => {
          await work()
          const record = { id: 'x', account: 'eve', plan: 'trial', bySignUp: false, keys: [] }
          await swap(
            textNames.account('x'),
            null,
            formatAccount({ ...record, createdAtMs: 0, deletedAtMs: null }),
          )
          await append('accounts', 'x')
        }),
    }),
  ],
])('a copy that %s is not accepted', async (_, reason, fault) => {
  const { records } = to
  const original = {
    append: records.append.bind(records),
    filling: records.filling.bind(records),
    swap: records.swap.bind(records),
  }
  Object.assign(records, fault(original))
  await expect(copyStore(from, to)).rejects.toThrow(`the copy differs: ${reason}`)
})

test.each(['account', 'change'])('a store that has one %s cannot be copied into', async (only) => {
  if (only === 'account') await to.directory.createAccount('eve', 'trial')
  else await to.directory.log({ actor: 'eve', action: 'keys create', details: {} })
  await expect(copyStore(from, to)).rejects.toThrow('the target is not empty')
})
