import type { Plan } from '#contract/plans.ts'
import {
  StoreUnavailable,
  type KeyContent,
  type MeterOptions,
  type MeterStore,
  type StoreEntry,
} from '../store.ts'
import { PlanTable, refuseUnknownPlans } from '../plan-table.ts'
import { AccountPeriods } from './account-periods.ts'
import { withoutPassword } from './client.ts'
import { RedisConnection } from './connection.ts'
import { RedisCounters } from './counters.ts'
import { RedisDirectory } from './directory.ts'
import { writeEntries } from './entries.ts'

export interface RedisOptions extends MeterOptions {
  /**
   * Whose time counts: that of the `server`, which all machines share (the default), or that of
   * `clock`, for tests.
   */
  time?: 'server' | 'clock'
}

/**
 * The store for several machines: a Redis, a Valkey or a cluster of them.
 *
 * What a script has answered is as safe as the server keeps its data: with `appendonly yes` and
 * `appendfsync always` it survives any crash. Time is the server's. Each call waits for Redis less
 * than a second; a request whose answer comes later gets its unit back.
 */
export class RedisStore implements MeterStore {
  readonly counters: RedisCounters
  readonly directory: RedisDirectory
  readonly #redis: RedisConnection
  readonly #plans: PlanTable

  private constructor(redis: RedisConnection, options: RedisOptions) {
    const { clock, time } = options
    const now = time === 'clock' ? () => String(clock.now()) : () => ''
    const periods = new AccountPeriods(redis, now)
    this.counters = new RedisCounters(redis, periods, options, now)
    this.#plans = new PlanTable(options.plans)
    this.directory = new RedisDirectory(redis, { counters: this.counters, periods, plans: this.#plans }, now)
    this.#redis = redis
  }

  /**
   * Opens the store at an address, `redis://` or `rediss://`. Its keys begin with `clip-lookup:`;
   * others beside them are left alone.
   *
   * @throws {Error} there is no store, the server is too old or drops keys, it holds something else
   * or another version, or an account is on a plan that the plans lack
   * @throws {StoreUnavailable} there is no answer within some seconds
   */
  static async open(url: string, options: RedisOptions): Promise<RedisStore> {
    let redis: RedisConnection | undefined
    try {
      redis = await RedisConnection.open(url, options)
      const store = new RedisStore(redis, options)
      const { obstacle } = redis
      if (obstacle)
        options.log?.warn(
          `the store "${withoutPassword(url)}" cannot be used: ${obstacle}; requests get 503 until it can`,
        )
      else if (options.unknownPlans !== 'allow') await refuseUnknownPlans(store.directory, options.plans)
      return store
    } catch (error) {
      await redis?.close()
      const Refusal = error instanceof StoreUnavailable ? StoreUnavailable : Error
      const { message } = error as Error
      const isOutOfReach = /^(connect|getaddrinfo) /.test(message)
      const fault = isOutOfReach ? `${message}; check the address, and that the server is running` : message
      throw new Refusal(`cannot open the store "${withoutPassword(url)}": ${fault}`)
    }
  }

  async usePlans(plans: readonly Plan[]): Promise<void> {
    await refuseUnknownPlans(this.directory, plans)
    this.counters.usePlans(plans)
    this.#plans.use(plans)
  }

  async keyContents(): Promise<Map<string, KeyContent>> {
    return await this.directory.keyContents()
  }

  async fill(entries: AsyncIterable<StoreEntry>): Promise<void> {
    await writeEntries(this.#redis, entries)
  }

  async close(): Promise<void> {
    await this.#redis.close()
  }
}
