import { decide } from '#metering/decide.ts'
import type { Directory } from '#metering/directory.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import type { Counters, Decision, QuotaState, Subject } from '#metering/store.ts'
import type { Tamper } from './simulation-mishaps.ts'
import type { Plant } from './simulation.ts'

/** Returns the store with some calls replaced. */
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
    records: store.records,
    backup: store.backup,
    close: store.close,
  }
}

/** Runs each piece of work when the previous one has ended. */
function oneAfterAnother(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}

/** Not broken: it does the same in another way, and the simulation must accept it. */
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

/** Returns the answer of a consume, judging by a peek. */
function foresee({ window, quota }: Known, units: 0 | 1, nowMs: number, keyId?: string): Decision {
  const { limit, remaining, resetAtS } = window
  const spent = { minute: resetAtS / 60 - 1, count: limit - remaining + 1 }
  return decide({ nowMs, perMinute: limit, window: spent, quota, keyId, units })
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
      const retryAfterS = Math.max(1, Math.ceil((quota.period.endMs - clock.now()) / 1000))
      return { outcome: 'quota_exceeded', window: decision.window, quota, retryAfterS }
    },
  })
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
      const accounts = await store.directory.accounts()
      const { account } = accounts.find(({ id }) => id === receipt.accountId)!
      const inForce = await store.directory.quota(account).catch(() => null)
      await store.counters.giveBack({ ...receipt, ...(inForce && { periodStartMs: inForce.period.startMs }) })
    },
  })
}

/** Returns a tamper that gives the same result for a statement each time. */
function always(wanted: string | RegExp, row: object): Tamper {
  return (sql, carryOut) => {
    const isMeant = typeof wanted === 'string' ? sql === wanted : wanted.test(sql) && sql.startsWith('SELECT')
    return isMeant ? row : carryOut()
  }
}

function withoutTransactions(sql: string, carryOut: () => unknown): unknown {
  return /^(BEGIN|COMMIT)/.test(sql) ? undefined : carryOut()
}

/** A meter that is broken on purpose. */
export interface PlantedMeter {
  /** The description of its fault: "a meter that …". */
  name: string
  plant?: Plant
  tamper?: Tamper
}

/** Faults of other services' meters, and faults that this one could have. */
export const plantedMeters: readonly PlantedMeter[] = [
  { name: 'answers before it has counted', plant: answerThenCount },
  { name: 'keeps an account locked out when its period has rolled over', plant: stayLockedOut },
  { name: 'takes no place in the window for a refused request', plant: refuseForFree },
  { name: 'gives back to the period in force, whichever the unit was of', plant: giveBackNow },
  {
    name: 'trusts its memory after another process has committed',
    tamper: always('PRAGMA data_version', { data_version: 1 }),
  },
  { name: 'does not hear of changes to keys and plans', tamper: always(/'config_version'$/, { value: 0 }) },
  { name: 'counts without a transaction', tamper: withoutTransactions },
]
