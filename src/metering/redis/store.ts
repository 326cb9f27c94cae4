import { Directory } from '../directory.ts'
import type { MeterOptions, MeterStore } from '../meter-store.ts'
import { PlanTable } from '../plan-table.ts'
import type { Records } from '../records.ts'
import { StoreUnavailable } from '../store.ts'
import { withoutPassword } from './client.ts'
import { RedisConnection } from './connection.ts'
import { RedisCounters } from './counters.ts'
import { RedisRecords } from './records.ts'

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
  readonly directory: Directory
  readonly records: Records
  readonly #redis: RedisConnection

  private constructor(redis: RedisConnection, options: RedisOptions) {
    const { clock, time } = options
    const now = time === 'clock' ? () => String(clock.now()) : () => ''
    const plans = new PlanTable(options.plans)
    this.counters = new RedisCounters(redis, plans, options, now)
    this.records = new RedisRecords(redis, now)
    this.directory = new Directory(this.records, plans)
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
      else if (options.unknownPlans !== 'allow') await store.directory.usePlans(options.plans)
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

  async close(): Promise<void> {
    await this.#redis.close()
  }
}
