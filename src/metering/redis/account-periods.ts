import { LRUCache } from 'lru-cache'
import { periodHolding, type Period } from '../period.ts'
import { StoreUnavailable } from '../store.ts'
import type { RedisConnection } from './connection.ts'
import type { Script } from './script.ts'

/**
 * 50,000 entries of some 300 bytes. Limited by size: by number, a cache allocates all its places at
 * once, which took 12 ms.
 */
export const cacheLimit = { maxSize: 50_000, sizeCalculation: () => 1 }

/** A period of an account, and the creation from which it is counted, also as arguments. */
interface KnownPeriod extends Period {
  args: readonly string[]
}

const noPeriod: KnownPeriod = { startMs: NaN, endMs: NaN, args: ['', '', ''] }

/**
 * Runs scripts on the period in force of an account.
 *
 * Lua has no calendar, so a script cannot compute when a period ends. The process sends the period
 * that it knows. If that is over, the script returns the instant, and the process computes the
 * period that holds it and calls again.
 */
export class AccountPeriods {
  readonly #redis: RedisConnection
  readonly #now: () => string
  /** By the id of the account. */
  readonly #known = new LRUCache<string, KnownPeriod>(cacheLimit)

  /** @param now the time in milliseconds, or empty: the server's own */
  constructor(redis: RedisConnection, now: () => string) {
    this.#redis = redis
    this.#now = now
  }

  /**
   * What the script answers, without its first word, and the period that is in force. Undefined if
   * the account or the key is not.
   *
   * @param keys of the account, its periods, and others in its slot
   * @param rest arguments after the time, the creation and the period
   */
  async run(script: Script, id: string, keys: readonly string[], rest: readonly string[]) {
    // A period ends once a month: a third answer of this kind would be a fault.
    for (let attempt = 0; attempt < 3; attempt++) {
      const period = this.#known.get(id) ?? noPeriod
      const args = [this.#now(), ...period.args, ...rest]
      const [word, ...reply] = (await this.#redis.run(script, keys, args)) as [string, ...unknown[]]
      if (word === 'nothing') return undefined
      if (word !== 'other_period') return { word, reply, period }
      const [createdAtMs, atMs] = reply as [number, number]
      const { startMs, endMs } = periodHolding(createdAtMs, atMs)
      this.#known.set(id, { startMs, endMs, args: [createdAtMs, startMs, endMs].map(String) })
    }
    throw new StoreUnavailable('the period of an account changed three times in a row')
  }
}
