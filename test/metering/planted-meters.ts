import type { Plan } from '#contract/plans.ts'
import { decide } from '#metering/decide.ts'
import type { Counters, Decision, Directory, MeterStore, QuotaState, Subject } from '#metering/store.ts'
import { minuteOf, windowInForce, type WindowCount } from '#metering/window.ts'
import type { Tamper } from './simulation-mishaps.ts'
import { simulatedPlans } from './simulation-model.ts'
import type { Plant } from './simulation.ts'

/**
 * A meter that is broken on purpose. What is made for every history is shared by its
 * processes.
 */
export interface PlantedMeter {
  /** What it does wrong: "a meter that …". */
  name: string
  plant?: () => Plant
  tamper?: Tamper
}

/** Faults that meters of other services have, and those that this one could have. */
export const plantedMeters: readonly PlantedMeter[] = [
  { name: 'reads, then counts without a lock', plant: () => readThenCount },
  { name: 'answers before it has counted', plant: () => answerThenCount },
  { name: 'keeps an account locked out when its period has rolled over', plant: () => stayLockedOut },
  { name: 'has a window in each process', plant: () => windowPerProcess },
  { name: 'has a quota for each key', plant: quotaPerKey },
  { name: 'takes no place in the window for a refused request', plant: () => refuseForFree },
  { name: 'gives back to the period in force, whichever the unit was of', plant: () => giveBackNow },
  {
    name: 'trusts its memory after another process has committed',
    tamper: always('PRAGMA data_version', { data_version: 1 }),
  },
  { name: 'does not hear of changes to keys and plans', tamper: always(/'config_version'$/, { value: 0 }) },
  { name: 'counts without a transaction', tamper: withoutTransactions },
]

/** The store with some calls replaced. */
function altered(store: MeterStore, calls: Partial<Counters & Directory>): MeterStore {
  const replaced = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(_, name: keyof (Counters & Directory)) {
        const real = (part as Counters & Directory)[name] as ((...args: never[]) => unknown) | undefined
        return calls[name] ?? real?.bind(part)
      },
    })
  return {
    counters: replaced(store.counters),
    directory: replaced(store.directory),
    usePlans: (plans) => store.usePlans(plans),
    keyContents: () => store.keyContents(),
    fill: (entries) => store.fill(entries),
    close: () => store.close(),
  }
}

/** Each work begins when the one before it has ended. */
function oneAfterAnother(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}

/** Not broken: does the same in another way, for which the simulation must not take it. */
export const roundabout: Plant = async (open) => {
  const store = await open()
  const inTurn = oneAfterAnother()
  return altered(store, {
    consume: (subject, units) =>
      inTurn(async () => {
        await store.counters.peek(subject)
        return await store.counters.consume(subject, units)
      }),
  })
}

function keyIdOf({ counters }: MeterStore, subject: Subject): string | undefined {
  return subject.kind === 'key' ? counters.keyIdOf(subject.digest) : undefined
}

type Known = Exclude<Decision, { outcome: 'unknown_key' }>

/** What a consume would answer now, by what a peek has shown. */
function foresee({ window, quota }: Known, units: 0 | 1, nowMs: number, keyId?: string): Decision {
  const { limit, remaining, resetAtS } = window
  const spent = { minute: resetAtS / 60 - 1, count: limit - remaining + 1 }
  return decide({ nowMs, perMinute: limit, window: spent, quota, keyId, units })
}

const readThenCount: Plant = async (open, clock) => {
  const store = await open({ plans: boundless({ perPeriod: null, perMinute: 1e9 }) })
  const peek = async (subject: Subject): Promise<Decision> => withLimits(await store.counters.peek(subject))
  return altered(store, {
    peek,
    quota: async (account) => limitedQuota(await store.directory.quota(account)),
    async consume(subject, units) {
      const seen = await peek(subject)
      if (seen.outcome === 'unknown_key') return seen
      const decision = foresee(seen, units, clock.now(), keyIdOf(store, subject))
      await store.counters.consume(subject, decision.outcome === 'admitted' ? units : 0)
      return decision
    },
  })
}

const answerThenCount: Plant = async (open, clock) => {
  const store = await open()
  const inTurn = oneAfterAnother()
  return altered(store, {
    consume: (subject, units) =>
      new Promise((resolve, reject) => {
        const work = async () => {
          const seen = await store.counters.peek(subject)
          resolve(
            seen.outcome === 'unknown_key'
              ? seen
              : foresee(seen, units, clock.now(), keyIdOf(store, subject)),
          )
          await store.counters.consume(subject, units)
        }
        inTurn(work).catch(reject)
      }),
  })
}

const stayLockedOut: Plant = async (open, clock) => {
  const store = await open()
  const spent = new Map<string, QuotaState>()
  return altered(store, {
    async consume(subject, units) {
      const quota = subject.kind === 'key' ? spent.get(subject.digest) : undefined
      const decision = await store.counters.consume(subject, quota ? 0 : units)
      if (decision.outcome === 'quota_exceeded' && subject.kind === 'key')
        spent.set(subject.digest, decision.quota)
      if (!quota || units === 0 || decision.outcome !== 'admitted') return decision
      const retryAfterS = Math.max(1, Math.ceil((quota.periodEndMs - clock.now()) / 1000))
      return { outcome: 'quota_exceeded', window: decision.window, quota, retryAfterS }
    },
  })
}

const windowPerProcess: Plant = async (open, clock) => {
  const store = await open({ plans: boundless({ perMinute: 1e9 }) })
  const windows = new Map<string, WindowCount>()
  const own = (decision: Decision, subject: Subject, places: 0 | 1, units: 0 | 1): Decision => {
    if (decision.outcome === 'unknown_key' || subject.kind === 'address') return decision
    const name = subject.digest
    const { minute, count } = windowInForce(windows.get(name), minuteOf(clock.now()))
    const window = { minute, count: count + places }
    if (places === 1) windows.set(name, window)
    const quota = limitedQuota(decision.quota)!
    const before =
      decision.outcome === 'admitted' && decision.receipt ? { ...quota, requests: quota.requests - 1 } : quota
    const keyId = keyIdOf(store, subject)
    return decide({ nowMs: clock.now(), perMinute: quota.perMinute, window, quota: before, keyId, units })
  }
  return altered(store, {
    peek: async (subject) => own(await store.counters.peek(subject), subject, 0, 0),
    consume: async (subject, units) => own(await store.counters.consume(subject, units), subject, 1, units),
    quota: async (account) => limitedQuota(await store.directory.quota(account)),
  })
}

function quotaPerKey(): Plant {
  const units = new Map<string, number>()
  return async (open, clock) => {
    const store = await open({ plans: boundless({ perPeriod: null }) })
    return altered(store, {
      peek: async (subject) => withLimits(await store.counters.peek(subject)),
      quota: async (account) => limitedQuota(await store.directory.quota(account)),
      async consume(subject, wanted) {
        const decision = withLimits(await store.counters.consume(subject, wanted))
        if (decision.outcome !== 'admitted' || !decision.receipt || subject.kind === 'address')
          return decision
        const name = `${subject.digest} ${decision.receipt.periodStartMs}`
        const { limit, requests, periodEndMs } = decision.quota!
        const ofKey = units.get(name) ?? 0
        if (limit === null || ofKey < limit) {
          units.set(name, ofKey + 1)
          return decision
        }
        await store.counters.giveBack(decision.receipt)
        const retryAfterS = Math.max(1, Math.ceil((periodEndMs - clock.now()) / 1000))
        const quota = { ...decision.quota!, requests: requests - 1 }
        return { outcome: 'quota_exceeded', window: decision.window, quota, retryAfterS }
      },
    })
  }
}

const refuseForFree: Plant = async (open, clock) => {
  const store = await open()
  return altered(store, {
    async consume(subject, units) {
      const seen = await store.counters.peek(subject)
      if (seen.outcome === 'unknown_key' || seen.window.remaining > 0)
        return await store.counters.consume(subject, units)
      return foresee(seen, units, clock.now(), keyIdOf(store, subject))
    },
  })
}

const giveBackNow: Plant = async (open) => {
  const store = await open()
  return altered(store, {
    async giveBack(receipt) {
      const inForce = await store.directory.quota(receipt.account).catch(() => null)
      await store.counters.giveBack({ ...receipt, ...(inForce && { periodStartMs: inForce.periodStartMs }) })
    },
  })
}

/** The plans of the simulation with some limit lifted, for a meter that heeds it by itself. */
function boundless(limits: Partial<Plan>): Plan[] {
  return simulatedPlans.map((plan) => ({ ...plan, ...limits }))
}

function limitedQuota(quota: QuotaState | null): QuotaState | null {
  if (!quota) return null
  const { perPeriod, perMinute } = simulatedPlans.find(({ name }) => name === quota.plan)!
  return { ...quota, limit: perPeriod, perMinute }
}

/** A decision of a boundless store, as one with limits shows it. */
function withLimits<D extends Decision>(decision: D): D {
  if (decision.outcome === 'unknown_key' || !decision.quota) return decision
  const quota = limitedQuota(decision.quota)!
  const { limit, remaining, resetAtS } = decision.window
  const window = {
    limit: quota.perMinute,
    remaining: Math.max(0, quota.perMinute - (limit - remaining)),
    resetAtS,
  }
  return { ...decision, window, quota }
}

/** A statement that gives the same each time. */
function always(wanted: string | RegExp, row: object): Tamper {
  return (sql, carryOut) => {
    const isMeant = typeof wanted === 'string' ? sql === wanted : wanted.test(sql) && sql.startsWith('SELECT')
    return isMeant ? row : carryOut()
  }
}

function withoutTransactions(sql: string, carryOut: () => unknown): unknown {
  return /^(BEGIN|COMMIT)/.test(sql) ? undefined : carryOut()
}
