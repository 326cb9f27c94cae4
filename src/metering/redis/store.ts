import { Directory } from '../directory.ts'
import type { MeterStore } from '../meter-store.ts'
import type { StoreOptions } from '../store.ts'
import { RedisConnection } from './connection.ts'
import { RedisCounters } from './counters.ts'
import { RedisRecords } from './records.ts'

/**
 * Opens the store for several machines: a Redis, a Valkey or a cluster of them, at `redis://` or
 * `rediss://`. Its keys begin with `clip-lookup:`; other keys are ignored.
 *
 * The effect of a script is as safe as the server's data: with `appendonly yes` and `appendfsync
 * always`, it survives any crash. Time is the server's. Each call waits for Redis less than a
 * second; a request whose reply arrives later gets its unit back.
 *
 * @throws {Error} there is no store, the server is too old or drops keys, or it holds something
 *   else or another version
 * @throws {StoreUnavailable} it does not reply within some seconds
 */
export async function openRedisStore(url: string, options: StoreOptions): Promise<MeterStore> {
  const { clock, time } = options
  const now = time === 'clock' ? () => String(clock.now()) : () => ''
  const redis = await RedisConnection.open(url, options)
  const plans = new Map(options.plans.map((plan) => [plan.name, plan]))
  const records = new RedisRecords(redis, now)
  return {
    counters: new RedisCounters(redis, plans, options, now),
    directory: new Directory(records, plans),
    records,
    async backup() {
      throw new Error(
        'cannot back up a Redis store. Use "store copy", BGSAVE, or a copy of its append-only file',
      )
    },
    close: () => redis.close(),
  }
}
