import type { Plan } from '#contract/plans.ts'
import {
  StoreUnavailable,
  type Directory,
  type MeterOptions,
  type MeterStore,
  type StoreEntry,
} from '../store.ts'
import { refuseUnknownPlans } from '../plan-table.ts'
import { digestsByKey } from './account-keys.ts'
import { claim } from './claim.ts'
import { withoutPassword } from './without-password.ts'
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
  readonly directory: Directory
  readonly #redis: RedisConnection

  private constructor(redis: RedisConnection, options: RedisOptions) {
    const { clock, time } = options
    const now = time === 'clock' ? () => String(clock.now()) : () => ''
    this.counters = new RedisCounters(redis, options, now)
    this.directory = new RedisDirectory(redis, this.counters, now)
    this.#redis = redis
  }

  /**
   * Opens the store at an address, `redis://` or `rediss://`, making it if there is none. Its keys
   * begin with `clip-lookup:`; others beside them are left alone.
   *
   * @throws {Error} it is too old, drops keys, holds something else, is of another version, or has
   * an account on a plan that the plans lack
   * @throws {StoreUnavailable} there is no answer within some seconds
   */
  static async open(url: string, options: RedisOptions): Promise<RedisStore> {
    let redis: RedisConnection | undefined
    try {
      redis = await RedisConnection.open(url)
      if (options.exclusive && (await redis.hasOthers())) throw new Error('another process uses it')
      redis.holdTo(await claim(redis))
      const store = new RedisStore(redis, options)
      if (options.unknownPlans !== 'allow') await refuseUnknownPlans(store.directory, options.plans)
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
  }

  async digests(): Promise<Map<string, string>> {
    return await digestsByKey(this.#redis)
  }

  async fill(entries: AsyncIterable<StoreEntry>): Promise<void> {
    await writeEntries(this.#redis, entries)
  }

  async close(): Promise<void> {
    await this.#redis.close()
  }
}
