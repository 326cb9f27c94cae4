import { Directory } from '../directory.ts'
import type { MeterStore, StoreOptions } from '../meter-store.ts'
import { PlanTable } from '../plan-table.ts'
import { RedisConnection } from './connection.ts'
import { RedisCounters } from './counters.ts'
import { RedisRecords } from './records.ts'

/**
 * Opens the store for several machines: a Redis, a Valkey or a cluster of them, at `redis://` or
 * `rediss://`. Its keys begin with `clip-lookup:`; others beside them are left alone.
 *
 * What a script has answered is as safe as the server keeps its data: with `appendonly yes` and
 * `appendfsync always` it survives any crash. Time is the server's. Each call waits for Redis less
 * than a second; a request whose answer comes later gets its unit back.
 *
 * @throws {Error} there is no store, the server is too old or drops keys, or it holds something
 * else or another version
 * @throws {StoreUnavailable} there is no answer within some seconds
 */
export async function openRedisStore(url: string, options: StoreOptions): Promise<MeterStore> {
  const { clock, time } = options
  const now = time === 'clock' ? () => String(clock.now()) : () => ''
  const redis = await RedisConnection.open(url, options)
  const plans = new PlanTable(options.plans)
  const records = new RedisRecords(redis, now)
  return {
    counters: new RedisCounters(redis, plans, options, now),
    directory: new Directory(records, plans),
    records,
    close: () => redis.close(),
  }
}
