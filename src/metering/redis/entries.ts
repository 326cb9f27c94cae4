import type { StoreEntry } from '../store.ts'
import { beginFilling, endFilling } from './claim.ts'
import type { RedisConnection } from './connection.ts'
import * as names from './keys.ts'

/** How many entries are written in one round trip. */
const batchSize = 100

/**
 * Writes the entries of another store. They are too many for a transaction of Redis, so until all
 * are written, the store is marked as unfinished, which keeps it from being opened.
 *
 * @throws {Error} Redis has accounts
 */
export async function writeEntries(
  redis: RedisConnection,
  entries: AsyncIterable<StoreEntry>,
): Promise<void> {
  if ((await redis.command('ZCARD', names.accountIndex)) !== 0) throw new Error('it is not empty')
  await beginFilling(redis)
  let place = 0
  let batch: Promise<unknown>[] = []
  for await (const entry of entries) {
    batch.push(...writeEntry(redis, entry, place++))
    if (batch.length < batchSize) continue
    await Promise.all(batch)
    batch = []
  }
  await Promise.all(batch)
  await endFilling(redis)
}

function writeEntry(redis: RedisConnection, entry: StoreEntry, place: number): Promise<unknown>[] {
  const set = (name: string, ...args: (string | number)[]) =>
    redis.command('HSET', name, ...args.map((arg) => String(arg)))
  if (entry.kind === 'secret')
    return [redis.command('SET', names.cursorSecret, entry.secret.toString('base64'))]
  const { account, createdAtMs } = entry
  if (entry.kind === 'account') {
    const { plan, periods } = entry
    const latest = periods.length > 0 ? ['latestPeriodMs', periods.at(-1)!.startMs] : []
    const counts = periods.flatMap(({ startMs, requests }) => [startMs, requests])
    return [
      redis.command('ZADD', names.accountIndex, String(place), account),
      set(names.accountRecord(account), 'plan', plan, 'createdAtMs', createdAtMs, ...latest),
      ...(counts.length > 0 ? [set(names.periods(account), ...counts)] : []),
    ]
  }
  const { keyId, digest, prefix, last4, enabled, expiresAtMs } = entry
  const expiry = expiresAtMs === null ? [] : ['expiresAtMs', expiresAtMs]
  const fields = ['prefix', prefix, 'last4', last4, 'enabled', enabled ? 1 : 0, 'createdAtMs', createdAtMs]
  return [
    redis.command('ZADD', names.keyIndex, String(place), keyId),
    redis.command('SET', names.keyPointer(keyId), account),
    redis.command('SET', names.digestPointer(digest), `${keyId} ${account}`),
    set(names.keyRecord(account, keyId), ...fields, ...expiry),
  ]
}
