import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Plan } from '#contract/plans.ts'
import { textNames } from '#metering/account-record.ts'
import { keyDigest } from '#metering/key.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { StoreUnavailable, type Receipt, type StoreOptions, type Subject } from '#metering/store.ts'
import type { AccountHistory } from '#metering/directory.ts'
import { errorOf } from '../harness/error-of.ts'
import { faultRounds, longTest } from '../harness/fault-rounds.ts'
import { storeForTest } from '../harness/store.ts'
import { addAccount, keyed, newKey } from './ann.ts'

const plans: readonly Plan[] = [
  { name: 'trial', perPeriod: 20, perMinute: 60 },
  { name: 'small', perPeriod: 3, perMinute: 2 },
  { name: 'thousand', perPeriod: 1000, perMinute: 1_000_000 },
  { name: 'brisk', perPeriod: 1_000_000, perMinute: 1000 },
  { name: 'open', perPeriod: null, perMinute: 1_000_000 },
]

/** The time is that of the test, not of a server. */
const common = { time: 'clock', mayCreate: true, patienceMs: 10_000 } as const

/** When every account of this suite is created. */
const creation = Date.parse('2026-01-31T08:00:00.000Z')

/** The size of the jump of a clock that is set wrong. */
const jumpMs = 45 * 86_400_000

const from = (address: string, perMinute = 3): Subject => ({ kind: 'address', address, perMinute })

/**
 * The tests that every store must pass. `freshUrl` returns the address of an unused store. Two
 * store objects on one address represent two processes; child processes are used where only real
 * ones will do.
 */
export function meterStoreSuite(name: string, freshUrl: () => Promise<string>): void {
  // Some tests start processes, perhaps on a busy machine.
  describe(name, () => {
    const clock = { ms: creation, now: () => clock.ms }
    let url: string
    let store: MeterStore
    let directory: MeterStore['directory']
    let other: MeterStore

    const open = (known = plans, more: Partial<StoreOptions> = {}) =>
      storeForTest(url, { plans: known, clock, ...common, ...more })

    /** Creates an account `ann` on the plan, with the named keys. */
    async function account(plan: string, ...keys: string[]): Promise<void> {
      await addAccount(store, 'ann', plan, ...keys)
    }

    const consume = (subject = keyed('a'), on = store) => on.counters.consume(subject, 1)

    /** Consumes one unit this many times, and returns the outcomes. */
    async function outcomes(times: number, subject = keyed('a'), on = store): Promise<string[]> {
      const all: string[] = []
      for (let i = 0; i < times; i++) all.push((await consume(subject, on)).outcome)
      return all
    }

    async function histories(on: MeterStore, name?: string): Promise<AccountHistory[]> {
      return await Array.fromAsync(on.directory.histories(name))
    }

    const requests = async (): Promise<number> => (await directory.quota('ann')).requests

    beforeEach(async () => {
      clock.ms = creation
      url = await freshUrl()
      store = await open()
      directory = store.directory
      other = await open()
    })

    describe('the minute window', () => {
      test('is fixed and aligned to the Unix minute, and returns its limit, remaining requests and end', async () => {
        await account('small', 'a')
        clock.ms = Date.parse('2026-01-31T08:05:59.999Z')
        const resetAtS = Date.parse('2026-01-31T08:06:00Z') / 1000
        expect(await consume()).toMatchObject({ window: { limit: 2, remaining: 1, resetAtS } })
        clock.ms += 1
        expect(await consume()).toMatchObject({ window: { limit: 2, remaining: 1, resetAtS: resetAtS + 60 } })
      })

      test('refuses requests over its limit, with the seconds to wait', async () => {
        await account('small', 'a')
        clock.ms += 29_500
        expect(await outcomes(2)).toEqual(['admitted', 'admitted'])
        const expected = { outcome: 'rate_limited', window: { remaining: 0 }, retryAfterS: 31 }
        expect(await consume()).toMatchObject(expected)
      })

      test('does not reopen, once used up, when a clock steps back', async () => {
        await account('small', 'a')
        clock.ms += 60_000
        await outcomes(2)
        clock.ms -= 60_000
        expect(await outcomes(1)).toEqual(['rate_limited'])
        clock.ms += 120_000
        expect(await outcomes(1)).toEqual(['admitted'])
      })

      test('that a clock 45 days ahead has started ends when the clock is right again', async () => {
        await account('small', 'a')
        for (const subject of [keyed('a'), from('192.0.2.1')]) {
          clock.ms = creation + jumpMs
          expect(await outcomes(4, subject)).toContain('rate_limited')
          clock.ms = creation
          const expected = { outcome: 'admitted', window: { resetAtS: creation / 1000 + 60 } }
          expect(await store.counters.consume(subject, 0)).toMatchObject(expected)
          expect((await outcomes(3, subject, other)).at(-1)).toBe('rate_limited')
        }
      })

      test('ends when a clock steps back by an hour, but not by a little less', async () => {
        for (const stepMs of [3_540_000, 3_600_000]) {
          clock.ms += 120 * 60_000
          await outcomes(4, from('192.0.2.1'))
          clock.ms -= stepMs
          const outcome = stepMs === 3_600_000 ? 'admitted' : 'rate_limited'
          expect(await outcomes(1, from('192.0.2.1'))).toEqual([outcome])
        }
      })

      test('never makes anyone wait more than a minute after the clock stepped back', async () => {
        await account('small', 'a')
        for (const subject of [keyed('a'), from('192.0.2.1')]) {
          clock.ms = creation + 3_600_000 + 30_000
          await outcomes(3, subject)
          clock.ms -= 600_000
          const refusal = await consume(subject)
          expect(refusal).toMatchObject({
            outcome: 'rate_limited',
            window: { remaining: 0, resetAtS: (clock.ms + 30_000) / 1000 },
            retryAfterS: 30,
          })
          clock.ms += 30_000
          expect(await outcomes(1, subject, other)).toEqual(['admitted'])
        }
      })
    })

    describe('the window of a client address', () => {
      test('has the limit that the caller gives, and no quota', async () => {
        expect(await store.counters.consume(from('192.0.2.1'), 0)).toEqual({
          outcome: 'admitted',
          window: { limit: 3, remaining: 2, resetAtS: creation / 1000 + 60 },
          quota: null,
          receipt: null,
        })
      })

      test('is shared by all processes, and separate for each address', async () => {
        await outcomes(2, from('192.0.2.1'))
        expect(await outcomes(2, from('192.0.2.1'), other)).toEqual(['admitted', 'rate_limited'])
        expect(await outcomes(1, from('2001:db8::/64'), other)).toEqual(['admitted'])
        // The first request of a process deletes old windows, and no others.
        const third = await open()
        expect(await outcomes(1, from('2001:db8::/64'), third)).toEqual(['admitted'])
        expect(await outcomes(1, from('192.0.2.1'), third)).toEqual(['rate_limited'])
      })

      test('is not used up by a peek', async () => {
        await outcomes(4, from('192.0.2.1'))
        const expected = { outcome: 'admitted', window: { remaining: 0 } }
        expect(await store.counters.peek(from('192.0.2.1'))).toMatchObject(expected)
        expect(await store.counters.peek(from('192.0.2.2'))).toMatchObject({
          outcome: 'admitted',
          window: { remaining: 3 },
        })
      })

      test('starts again hours later, when the old ones are deleted', async () => {
        await outcomes(4, from('192.0.2.1'))
        clock.ms += 5 * 3_600_000
        expect(await outcomes(4, from('192.0.2.2'))).toContain('rate_limited')
        expect(await outcomes(1, from('192.0.2.1'))).toEqual(['admitted'])
        expect(await outcomes(1, from('192.0.2.2'))).toEqual(['rate_limited'])
      })
    })

    describe('the quota', () => {
      test('belongs to the account: a second key does not raise it', async () => {
        await account('trial', 'a', 'b')
        expect(await outcomes(12)).toEqual(Array(12).fill('admitted'))
        expect((await outcomes(9, keyed('b'))).at(-1)).toBe('quota_exceeded')
        expect(await requests()).toBe(20)
      })

      test('counts a request once, before it is answered', async () => {
        await account('trial', 'a')
        expect(await consume()).toMatchObject({
          quota: { account: 'ann', plan: plans[0], requests: 1 },
          receipt: { accountId: expect.any(String), keyId: 'key_a', periodStartMs: creation },
        })
        expect(await requests()).toBe(1)
      })

      test('refuses requests, once used up, until the end of the period, and never counts beyond its limit', async () => {
        await account('trial', 'a')
        await outcomes(20)
        expect(await consume()).toMatchObject({
          outcome: 'quota_exceeded',
          quota: { requests: 20, plan: { perPeriod: 20 } },
          retryAfterS: 28 * 86_400,
        })
      })

      test('is refunded after a fault of the service', async () => {
        await account('trial', 'a')
        await outcomes(19)
        const { receipt } = (await consume()) as { receipt: Receipt }
        await other.counters.giveBack(receipt)
        expect(await requests()).toBe(19)
        expect(await outcomes(2)).toEqual(['admitted', 'quota_exceeded'])
      })

      test('is refunded to its account and key, even if the account was renamed or deleted', async () => {
        await account('trial', 'a')
        const { id } = await directory.account('ann')
        const consumed = () => consume() as Promise<{ receipt: Receipt }>
        const [first, second] = [await consumed(), await consumed(), await consumed()]
        await other.directory.renameAccount('ann', 'bob')
        // Another account gets the name in the same millisecond.
        await account('trial', 'b')
        await outcomes(2, keyed('b'))
        await store.counters.giveBack(first.receipt)
        expect(await directory.quota('bob')).toMatchObject({ requests: 2 })
        expect(await requests()).toBe(2)
        await other.directory.deleteAccount('bob')
        await store.counters.giveBack(second.receipt)
        for (const keyId of [undefined, 'key_a'])
          expect((await store.records.counts(id, keyId)).periods).toMatchObject([{ requests: 1 }])
      })

      test('never goes below zero, whatever is refunded', async () => {
        await account('trial', 'a')
        const { id } = await directory.account('ann')
        await store.counters.giveBack({ accountId: id, periodStartMs: creation })
        const { receipt } = (await consume()) as { receipt: Receipt }
        await store.counters.giveBack(receipt)
        await store.counters.giveBack(receipt)
        expect(await requests()).toBe(0)
      })
    })

    describe('the period', () => {
      test('is refunded a unit even if the next period has begun', async () => {
        await account('trial', 'a')
        const { receipt } = (await consume()) as { receipt: Receipt }
        clock.ms = Date.parse('2026-02-28T08:00:00.000Z')
        await outcomes(2)
        await store.counters.giveBack(receipt)
        expect(await requests()).toBe(2)
      })

      test('does not reopen its quota when a clock steps back by less than an hour', async () => {
        await account('trial', 'a')
        clock.ms = monthStarts[1]!
        await outcomes(20)
        clock.ms -= 3_599_999
        expect(await outcomes(1)).toEqual(['quota_exceeded'])
        clock.ms -= 1
        const expected = { outcome: 'admitted', quota: { period: { startMs: creation }, requests: 1 } }
        expect(await consume()).toMatchObject(expected)
      })

      test('that a clock 45 days ahead has started ends when the clock is right again', async () => {
        await account('trial', 'a')
        await outcomes(20)
        clock.ms += jumpMs
        expect(await outcomes(2)).toEqual(['admitted', 'admitted'])
        clock.ms = creation + 60_000
        for (const each of [store, other]) {
          expect(await consume(keyed('a'), each)).toMatchObject({
            outcome: 'quota_exceeded',
            quota: { period: { startMs: creation }, requests: 20 },
          })
          const expected = { period: { startMs: creation }, requests: 20 }
          expect(await each.directory.quota('ann')).toMatchObject(expected)
        }
      })

      test('that a clock far ahead has counted in keeps its count when its time comes', async () => {
        await account('trial', 'a')
        clock.ms += jumpMs
        await outcomes(2)
        clock.ms = creation
        expect(await outcomes(1)).toEqual(['admitted'])
        expect(await requests()).toBe(1)
        // An hour before it starts, it is not yet in force.
        clock.ms = Date.parse('2026-02-28T07:30:00.000Z')
        expect(await outcomes(1, keyed('a'), other)).toEqual(['admitted'])
        expect(await requests()).toBe(2)
        clock.ms = creation + jumpMs
        const { receipt } = (await consume()) as { receipt: Receipt }
        expect(await requests()).toBe(3)
        await store.counters.giveBack(receipt)
        const { periods } = await store.records.counts(receipt.accountId, 'key_a')
        expect(periods).toMatchObject([{ requests: 2 }, { requests: 2 }])
      })

      test('is the first one if the clock steps back before the creation', async () => {
        await account('trial', 'a')
        clock.ms -= 86_400_000
        expect(await consume()).toMatchObject({ quota: { period: { startMs: creation }, requests: 1 } })
      })
    })

    describe('a change of plan', () => {
      test('to a plan that this process lacks makes requests unavailable, and names account and plan', async () => {
        await account('trial', 'a')
        const ahead = await open([...plans, { name: 'gold', perPeriod: null, perMinute: 60 }])
        await ahead.directory.setPlan('ann', 'gold')
        const refused = await errorOf(consume())
        expect(refused).toBeInstanceOf(StoreUnavailable)
        expect(refused.message).toContain('"ann" is on the plan "gold"')
        const expected = { outcome: 'admitted', quota: { requests: 1 } }
        expect(await consume(keyed('a'), ahead)).toMatchObject(expected)
      })

      test('that changes only its limits affects a key that this process knows, too', async () => {
        await account('small', 'a')
        await outcomes(1)
        await directory.usePlans(plans.map((plan) => ({ ...plan, perMinute: 9 })))
        expect(await consume()).toMatchObject({ window: { limit: 9, remaining: 7 } })
      })

      test('to a plan that this process no longer has also makes requests unavailable', async () => {
        await account('trial', 'a')
        await directory.usePlans(plans.filter(({ name }) => name !== 'open'))
        await other.directory.setPlan('ann', 'open')
        expect((await errorOf(store.counters.consume(keyed('a'), 1))).message).toContain('the plan "open"')
      })

      test('to a plan that no process has stops the start, and names account and plan', async () => {
        await account('small', 'a')
        const refused = await errorOf(open(plans.slice(0, 1)))
        expect(refused.message).toContain('"ann" is on the plan "small"')
        // Otherwise, a service would wait for the store.
        expect(refused).not.toBeInstanceOf(StoreUnavailable)
        const lenient = await open(plans.slice(0, 1), { unknownPlans: 'allow' })
        await lenient.directory.setPlan('ann', 'trial')
        await open(plans.slice(0, 1))
      })
    })

    describe('a key', () => {
      test('is unknown from the next request on, in every process, once it is disabled, until it is enabled', async () => {
        await account('trial', 'a', 'b')
        await outcomes(1)
        const expected = { keyId: 'key_a', enabled: false }
        expect(await other.directory.setKeyEnabled('key_a', false)).toMatchObject(expected)
        expect(await outcomes(1)).toEqual(['unknown_key'])
        expect(await store.counters.peek(keyed('a'))).toEqual({ outcome: 'unknown_key' })
        expect(await outcomes(1, keyed('b'))).toEqual(['admitted'])
        await other.directory.setKeyEnabled('key_a', true)
        expect(await outcomes(1)).toEqual(['admitted'])
        expect(await requests()).toBe(3)
      })

      test('works through the overlap after a rotation, and not longer', async () => {
        await account('trial', 'a')
        const next = await directory.rotateKey('key_a', newKey('b'), 1000)
        expect(next).toMatchObject({ keyId: 'key_b', account: 'ann', enabled: true, expiresAtMs: null })
        clock.ms += 999
        expect(await outcomes(1, keyed('a'), other)).toEqual(['admitted'])
        clock.ms += 1
        expect(await outcomes(1, keyed('a'), other)).toEqual(['unknown_key'])
        expect(await outcomes(1, keyed('b'), other)).toEqual(['admitted'])
      })

      test('keeps its earlier expiry when it is rotated again, and accepts an earlier one', async () => {
        await account('trial', 'a')
        const expiries: unknown[] = []
        for (const [i, overlapMs] of [5000, 9000, 2000].entries()) {
          await directory.rotateKey('key_a', newKey(`next${i}`), overlapMs)
          expiries.push((await directory.keys())[0]!.expiresAtMs)
        }
        expect(expiries).toEqual([creation + 5000, creation + 5000, creation + 2000])
      })

      test('is listed without its text, with the plan of its account', async () => {
        await account('trial', 'a')
        await directory.setPlan('ann', 'open')
        const { id: accountId } = await directory.account('ann')
        const used = { accountId, account: 'ann', plan: 'open', enabled: true, createdAtMs: creation }
        const unset = { expiresAtMs: null, name: null, note: null }
        expect(await directory.keys()).toEqual([{ ...newKey('a'), ...used, ...unset }])
      })

      test('is listed in the order of creation, not by account', async () => {
        await account('trial', 'a')
        clock.ms += 1000
        await addAccount(store, 'bob', 'trial', 'b')
        clock.ms += 1000
        await directory.addKey('ann', newKey('c'))
        expect((await other.directory.keys()).map(({ keyId }) => keyId)).toEqual(['key_a', 'key_b', 'key_c'])
      })

      test('keeps its name and its note when it is rotated', async () => {
        await account('trial')
        const named = { ...newKey('a'), name: 'production', note: 'asked for by Ann' }
        const expected = { name: 'production', note: 'asked for by Ann' }
        expect(await directory.addKey('ann', named)).toMatchObject(expected)
        await directory.rotateKey('key_a', { ...newKey('b'), note: 'rotated' }, 0)
        const notes = (await other.directory.keys()).map(({ name, note }) => `${name}: ${note}`)
        expect(notes).toEqual(['production: asked for by Ann', 'production: rotated'])
      })

      test('has its periods in order, in whatever order they were copied', async () => {
        await account('small', 'a')
        const { id } = await directory.account('ann')
        for (const startMs of monthStarts.toReversed()) {
          const periods = [{ startMs, requests: 1, plan: null }]
          await store.records.addCounts({ latestMs: null, periods }, id, 'key_a')
        }
        const { periods } = await other.records.counts(id, 'key_a')
        expect(periods.map(({ startMs }) => startMs)).toEqual(monthStarts)
      })

      test('has the day of its last use, and the units that it used in each period', async () => {
        await account('small', 'a', 'b', 'c')
        await outcomes(5)
        const { receipt } = (await consume(keyed('b'), other)) as { receipt: Receipt }
        clock.ms = monthStarts[1]! + 1000
        await outcomes(2, keyed('b'), other)
        await store.counters.giveBack(receipt)
        clock.ms = monthStarts[2]! + 1000
        await outcomes(1, keyed('b'), other)
        const { id } = await other.directory.account('ann')
        const counts = ['key_a', 'key_b', 'key_c'].map((keyId) => other.records.counts(id, keyId))
        const dayOf = (ms: number) => Math.floor(ms / 86_400_000) * 86_400_000
        expect(await Promise.all(counts)).toEqual([
          { latestMs: dayOf(creation), periods: [{ startMs: creation, requests: 2, plan: null }] },
          {
            latestMs: dayOf(clock.ms),
            periods: [
              { startMs: monthStarts[1], requests: 2, plan: null },
              { startMs: monthStarts[2], requests: 1, plan: null },
            ],
          },
          { latestMs: null, periods: [] },
        ])
      })

      test('cannot be changed or rotated if it does not exist', async () => {
        await account('trial')
        await expect(directory.setKeyEnabled('key_x', false)).rejects.toThrow('no key "key_x"')
        await expect(directory.rotateKey('key_x', newKey('b'), 0)).rejects.toThrow('no key "key_x"')
        expect(await directory.keys()).toEqual([])
      })

      test('never replaces another key', async () => {
        await account('trial', 'a')
        await addAccount(store, 'bob', 'trial')
        for (const twin of [
          { ...newKey('b'), keyId: 'key_a' },
          { ...newKey('b'), digest: keyDigest('a') },
        ])
          await expect(directory.addKey('bob', twin)).rejects.toThrow(
            `cannot add the key "${twin.keyId}": it already exists`,
          )
        expect(await directory.keys()).toMatchObject([{ keyId: 'key_a', account: 'ann' }])
      })

      test('whose creation was killed half-way is unknown', async () => {
        await account('trial', 'a')
        const { id } = await store.directory.account('ann')
        for (const lead of [textNames.key('key_b'), textNames.digest(keyDigest('b'))])
          await store.records.swap(lead, null, id)
        expect(await outcomes(1, keyed('b'))).toEqual(['unknown_key'])
        await expect(other.directory.setKeyEnabled('key_b', false)).rejects.toThrow('no key "key_b"')
      })

      test('cannot be added to an account that does not exist', async () => {
        await expect(directory.addKey('nobody', newKey('a'))).rejects.toThrow('no account "nobody"')
      })
    })

    describe('an account', () => {
      test('is created once: of two requests for its name at the same time, one succeeds', async () => {
        const made = await Promise.all([
          directory.createAccount('eve', 'trial'),
          other.directory.createAccount('eve', 'open'),
        ])
        expect(made.filter((account) => account !== null)).toHaveLength(1)
        clock.ms += 1000
        expect(await other.directory.createAccount('eve', 'small')).toBeNull()
        const eve = await directory.account('eve')
        expect(eve).toEqual(made.find((account) => account !== null))
        expect(eve).toMatchObject({ account: 'eve', createdAtMs: creation, bySignUp: false })
        expect((await directory.accounts()).filter(({ account }) => account === 'eve')).toHaveLength(1)
      })

      test('sign-ups are counted by address and day, over all processes', async () => {
        expect(await directory.countSignUp('10.0.0.1', 2)).toBe(true)
        expect(await other.directory.countSignUp('10.0.0.1', 2)).toBe(true)
        expect(await directory.countSignUp('10.0.0.1', 2)).toBe(false)
        expect(await directory.countSignUp('10.0.0.2', 2)).toBe(true)
        clock.ms += 86_400_000
        expect(await other.directory.countSignUp('10.0.0.1', 2)).toBe(true)
        clock.ms -= 86_400_000
        expect(await directory.countSignUp('10.0.0.1', 2)).toBe(true)
        expect(await directory.countSignUp('10.0.0.1', 2)).toBe(false)
      })

      test('sign-ups counted by a clock 45 days ahead do not block later ones', async () => {
        clock.ms += jumpMs
        for (let i = 0; i < 3; i++) await directory.countSignUp('10.0.0.1', 2)
        clock.ms -= jumpMs
        expect(await directory.countSignUp('10.0.0.1', 2)).toBe(true)
      })

      test('keeps its plan, keys and counts when it is renamed, in every process', async () => {
        await account('trial', 'a', 'b')
        await directory.createAccount('bob', 'trial')
        await outcomes(3)
        await outcomes(1, keyed('a'), other)
        const renamed = { account: '100 % *{new}*', plan: 'trial', createdAtMs: creation, bySignUp: false }
        expect(await directory.renameAccount('ann', renamed.account)).toMatchObject(renamed)
        for (const each of [store, other])
          expect(await consume(keyed('a'), each)).toMatchObject({
            outcome: 'admitted',
            quota: { account: renamed.account },
          })
        expect(await other.directory.quota(renamed.account)).toMatchObject({ requests: 6 })
        await expect(other.directory.account('ann')).rejects.toThrow('no account "ann"')
        const named = (records: { account: string }[]) => records.map((each) => each.account)
        expect(named(await other.directory.accounts())).toEqual([renamed.account, 'bob'])
        expect(named(await other.directory.keys())).toEqual([renamed.account, renamed.account])
        // The old name is free: a new account with it has nothing of the previous one.
        await account('small', 'c')
        expect(await consume(keyed('c'), other)).toMatchObject({ quota: { requests: 1 } })
        expect(await consume(keyed('b'))).toMatchObject({ quota: { requests: 7 } })
      })

      test('cannot be renamed to a name that is taken, or if it does not exist', async () => {
        await account('trial', 'a')
        await directory.createAccount('bob', 'trial')
        const taken = 'cannot rename "ann": there is already an account "bob"'
        await expect(directory.renameAccount('ann', 'BOB')).rejects.toThrow(taken)
        // Another process has begun to create an account.
        await store.records.swap(textNames.name('mia'), null, 'half')
        await expect(directory.renameAccount('ann', 'mia')).rejects.toThrow('already an account "mia"')
        await expect(directory.renameAccount('nobody', 'eve')).rejects.toThrow('no account "nobody"')
        expect(await outcomes(1)).toEqual(['admitted'])
      })

      test('loses its keys and counts when it is deleted, in every process', async () => {
        await account('trial', 'a')
        await addAccount(store, 'bob', 'trial', 'b')
        await outcomes(5, keyed('a'), other)
        await outcomes(1)
        expect(await directory.deleteAccount('ann')).toMatchObject({ account: 'ann', plan: 'trial' })
        for (const each of [store, other])
          expect(await consume(keyed('a'), each)).toEqual({ outcome: 'unknown_key' })
        await expect(other.directory.deleteAccount('ann')).rejects.toThrow('no account "ann"')
        expect((await other.directory.accounts()).map((each) => each.account)).toEqual(['bob'])
        expect((await other.directory.keys()).map((each) => each.keyId)).toEqual(['key_b'])
        // An account of the same name is a different account.
        await account('trial', 'a')
        expect(await consume(keyed('a'), other)).toMatchObject({ quota: { requests: 1 } })
        expect((await other.directory.accounts()).map((each) => each.account)).toEqual(['bob', 'ann'])
        expect(await outcomes(1, keyed('b'))).toEqual(['admitted'])
      })

      test('is listed in the order of creation, however many there are', async () => {
        const wanted = Array.from({ length: 601 }, (_, i) => `account ${(i * 2) % 601}`)
        for (const name of wanted) await directory.createAccount(name, 'open')
        // An account is in the list twice if two processes took part in creating it.
        await store.records.append('accounts', (await directory.account(wanted[0]!)).id)
        expect((await other.directory.accounts()).map((each) => each.account)).toEqual(wanted)
      })

      test('is the same under every spelling that looks the same', async () => {
        const ann = await directory.createAccount('Straße & Söhne', 'trial')
        for (const same of ['STRASSE & SÖHNE', 'ﬅraße & söhne', 'STRA\u1e9eE & SO\u0308HNE']) {
          expect(await other.directory.account(same)).toEqual(ann)
          expect(await other.directory.createAccount(same, 'open')).toBeNull()
        }
        const renamed = await directory.renameAccount('straße & söhne', 'Strasse & Söhne')
        expect(renamed).toEqual({ ...ann, account: 'Strasse & Söhne' })
        expect(await other.directory.accounts()).toEqual([renamed])
        expect(await other.directory.account('straße & söhne')).toEqual(renamed)
      })

      test('records that it was created by sign-up', async () => {
        const eve = await directory.createAccount('eve', 'trial', true)
        expect(eve).toMatchObject({ bySignUp: true })
        expect(await other.directory.account('eve')).toEqual(eve)
        expect(await other.directory.accounts()).toEqual([eve])
        expect(await other.directory.renameAccount('eve', 'mia')).toEqual({ ...eve, account: 'mia' })
        expect(await directory.setPlan('mia', 'open')).toMatchObject({ bySignUp: true })
      })

      test('lists every period in which it was counted', async () => {
        await account('trial', 'a')
        for (let month = 0; month < 3; month++, clock.ms += 31 * 86_400_000) await outcomes(month + 1)
        const [{ periods }] = (await histories(other, 'ann')) as [AccountHistory]
        expect(periods.map(({ startMs }) => startMs)).toEqual(monthStarts.slice(0, 3))
        expect(periods.map((each) => each.requests)).toEqual([1, 2, 3])
        expect(await histories(store, 'nobody')).toEqual([])
      })

      test('has periods that keep their last plan and limits', async () => {
        await account('small', 'a')
        await outcomes(2)
        await directory.setPlan('ann', 'trial')
        clock.ms = monthStarts[1]!
        await outcomes(1)
        // From here on, the operator sells more under the same name.
        clock.ms = monthStarts[2]!
        const more = { name: 'trial', perPeriod: 500, perMinute: 60 }
        const generous = await open([more, ...plans.slice(1)])
        await outcomes(1, keyed('a'), generous)
        clock.ms = monthStarts[3]!
        await other.directory.setPlan('ann', 'open')
        const [{ periods }] = (await histories(store, 'ann')) as [AccountHistory]
        expect(periods.map(({ plan }) => plan)).toEqual([plans[0], plans[0], more, plans.at(-1)])
        expect(periods.map((period) => period.requests)).toEqual([2, 1, 1, 0])
      })

      test('leaves its periods under its name when it is deleted, until they are purged', async () => {
        await account('trial', 'a')
        await outcomes(3)
        await directory.deleteAccount('ann')
        clock.ms += 1000
        await account('open', 'b')
        await outcomes(1, keyed('b'))
        await other.directory.createAccount('bob', 'trial')
        const kept = await histories(other, 'ANN')
        expect(kept).toMatchObject([
          { plan: 'trial', deletedAtMs: creation, periods: [{ startMs: creation, requests: 3 }] },
          { plan: 'open', deletedAtMs: null, periods: [{ requests: 1 }] },
        ])
        expect(await histories(other)).toMatchObject([...kept, { account: 'bob' }])
        expect(await directory.purge('ann')).toMatchObject([{ plan: 'trial' }, { plan: 'open' }])
        expect(await histories(other)).toMatchObject([{ account: 'bob' }])
        expect(await outcomes(1, keyed('b'))).toEqual(['unknown_key'])
        await expect(directory.purge('ann')).rejects.toThrow('no account "ann"')
        const { records } = other
        const keyIds = [undefined, 'key_a', 'key_b']
        const countsLeft = kept.flatMap(({ id }) => keyIds.map((keyId) => records.counts(id, keyId)))
        for (const counts of await Promise.all(countsLeft))
          expect(counts).toEqual({ latestMs: null, periods: [] })
        // Nothing is left that would prevent a new account from having a key with the same text.
        expect((await Array.fromAsync(store.records.lines('accounts'))).flat()).toHaveLength(1)
        for (let round = 0; round < 2; round++) {
          await account('small', 'b')
          expect(await outcomes(1, keyed('b'))).toEqual(['admitted'])
          await directory.purge('ann')
        }
      })

      test('whose deletion was killed half-way refuses its keys, and leaves its name free', async () => {
        await account('trial', 'a')
        const { id } = await directory.deleteAccount('ann')
        // The records that the deletion did not reach are restored.
        const leads = [textNames.key('key_a'), textNames.digest(keyDigest('a')), textNames.name('ann')]
        for (const lead of leads) await store.records.swap(lead, null, id)
        expect(await outcomes(1)).toEqual(['unknown_key'])
        await expect(other.directory.account('ann')).rejects.toThrow('no account "ann"')
        await expect(other.directory.setKeyEnabled('key_a', true)).rejects.toThrow('no account "ann"')
        await account('open', 'b')
        expect(await outcomes(1, keyed('b'))).toEqual(['admitted'])
        expect((await other.directory.account('ann')).id).not.toBe(id)
      })

      test('whose creation was killed half-way does not exist, and can be created', async () => {
        await store.records.append('accounts', 'half')
        await store.records.swap(textNames.name('ann'), null, 'half')
        await expect(other.directory.account('ann')).rejects.toThrow('no account "ann"')
        expect(await other.directory.accounts()).toEqual([])
        await account('trial', 'a')
        expect(await other.directory.accounts()).toMatchObject([{ id: 'half', account: 'ann' }])
        expect(await outcomes(1)).toEqual(['admitted'])
      })

      test.each(['deleteAccount', 'purge'] as const)(
        'is not changed any more once another process has called %s',
        async (end) => {
          await account('trial', 'a')
          for (const change of [
            () => directory.addKey('ann', newKey('b')),
            () => directory.renameAccount('ann', 'eve'),
          ]) {
            const { swap } = store.records
            store.records.swap = async (...parameters) => {
              store.records.swap = swap
              await other.directory[end]('ann')
              return await swap.apply(store.records, parameters)
            }
            await expect(change()).rejects.toThrow('no account "ann"')
            await account('trial')
          }
          for (const key of ['a', 'b']) expect(await outcomes(1, keyed(key))).toEqual(['unknown_key'])
          expect((await other.directory.accounts()).map((each) => each.account)).toEqual(['ann'])
        },
      )

      test('that does not exist is refused by name', async () => {
        for (const call of ['account', 'quota'] as const)
          await expect(directory[call]('ann')).rejects.toThrow('no account "ann"')
        await expect(directory.setPlan('ann', 'open')).rejects.toThrow('no account "ann"')
      })
    })

    test('the secret that signs cursors has 32 bytes, and is the same for every process and after a restart', async () => {
      const secret = await directory.cursorSecret()
      expect(secret).toHaveLength(32)
      expect(await other.directory.cursorSecret()).toEqual(secret)
      expect(await (await open()).directory.cursorSecret()).toEqual(secret)
    })

    test('the log of changes lists them in order, with their time, for every process', async () => {
      expect(await Array.fromAsync(directory.changes())).toEqual([])
      const changes = Array.from({ length: 1100 }, (_, i) => ({
        actor: `ann@${i % 2}`,
        action: 'keys disable',
        details: { keyId: `key ${i}`, overlapS: i, name: null },
      }))
      for (const change of changes) await directory.log(change)
      clock.ms += 1000
      await other.directory.log(changes[0]!)
      expect(await Array.fromAsync(other.directory.changes())).toEqual([
        ...changes.map((change) => ({ atMs: creation, ...change })),
        { atMs: creation + 1000, ...changes[0] },
      ])
    })

    test('a list with a maximum number of lines loses its oldest lines', async () => {
      for (const line of ['a', 'b', 'c', 'd']) await store.records.append('changes', line, 2)
      expect(await Array.fromAsync(other.records.lines('changes'))).toEqual([['c', 'd']])
    })

    test('a closed store can be closed again, and refuses calls', async () => {
      await store.close()
      await store.close()
      await expect(consume()).rejects.toBeInstanceOf(StoreUnavailable)
    })

    describe('real processes', () => {
      test('share a quota and a window exactly, four at a time', async () => {
        await account('thousand', 'a')
        await addAccount(store, 'bob', 'brisk', 'b')
        const admitted = (await admittedInChildren(url, 300, 'a', 'b')).flat()
        expect(admitted.filter((key) => key === 'a')).toHaveLength(1000)
        expect(admitted.filter((key) => key === 'b')).toHaveLength(1000)
        expect(await requests()).toBe(1000)
        expect(await directory.quota('bob')).toMatchObject({ requests: 1000 })
      })

      test('lose no answered request when one is killed with -9, and count at most one more', async () => {
        await account('open', 'a')
        const answered = await admittedBeforeKill(url, 50)
        const counted = await requests()
        expect(counted).toBeGreaterThanOrEqual(answered)
        expect(counted).toBeLessThanOrEqual(answered + 1)
        expect(await outcomes(1)).toEqual(['admitted'])
      })

      longTest('can all open a new store at once', async () => {
        for (let round = 0; round < faultRounds(5); round++)
          expect(await admittedInChildren(await freshUrl(), 1, 'a')).toEqual([[], [], [], []])
      })
    })
  })
}

/**
 * Starts a process that waits for input, then consumes this many times with each key, and prints
 * the key of each admitted request.
 */
function startChild(url: string, times: number, keys: readonly string[]): ChildProcess {
  const program = `
    import { once } from 'node:events'
    import { keyDigest } from '#metering/key.ts'
    import { openStore } from '#metering/open-store.ts'
    const print = (line) => new Promise((written) => process.stdout.write(line + '\\n', written))
    await print('ready')
    await once(process.stdin, 'data')
    process.stdin.destroy()
    const store = await openStore(${JSON.stringify(url)}, {
      plans: ${JSON.stringify(plans)},
      clock: { now: () => ${creation} },
      ...${JSON.stringify(common)},
    })
    for (let i = 0; i < ${times}; i++)
      for (const key of ${JSON.stringify(keys)}) {
        const { outcome } = await store.counters.consume({ kind: 'key', digest: keyDigest(key) }, 1)
        if (outcome === 'admitted') await print(key)
      }
    await store.close()`
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: new URL('../..', import.meta.url),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

/** Starts four children at once, and returns the keys whose requests each had admitted. */
async function admittedInChildren(url: string, times: number, ...keys: string[]): Promise<string[][]> {
  const children = Array.from({ length: 4 }, () => startChild(url, times, keys))
  await Promise.all(children.map((child) => once(child.stdout!, 'data')))
  for (const child of children) child.stdin!.write('go')
  return await Promise.all(
    children.map(async (child) => {
      const [printed, [code]] = await Promise.all([text(child.stdout!), once(child, 'close')])
      expect(code).toBe(0)
      return printed.split('\n').slice(0, -1)
    }),
  )
}

/** Kills a child after this many admissions, and returns how many it had printed in the end. */
async function admittedBeforeKill(url: string, atLeast: number): Promise<number> {
  const child = startChild(url, 1_000_000, ['a'])
  child.stdin!.write('go')
  let lines = 0
  for await (const _ of createInterface(child.stdout!)) if (++lines === atLeast + 1) child.kill('SIGKILL')
  return lines - 1
}

/** The starts of the first periods. */
const monthStarts = ['01-31', '02-28', '03-31', '04-30'].map((day) => Date.parse(`2026-${day}T08:00:00Z`))
