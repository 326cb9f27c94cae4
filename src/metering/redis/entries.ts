import type { StoreEntry } from '../store.ts'
import { ours, unfinished } from './claim.ts'
import type { RedisConnection } from './connection.ts'
import { toText } from './directory.ts'
import * as names from './keys.ts'

/** How many entries are written in one round trip. */
const batchSize = 100

const dayMs = 86_400_000

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
  await redis.command('SET', names.storeMark, unfinished)
  const ids = new Map<string, string>()
  let place = 0
  let batch: Promise<unknown>[] = []
  for await (const entry of entries) {
    batch.push(...writeEntry(redis, entry, place++, ids))
    if (batch.length < batchSize) continue
    await Promise.all(batch)
    batch = []
  }
  await Promise.all(batch)
  await redis.command('SET', names.storeMark, ours)
}

/** @param ids of the accounts that exist, by name: keys come after them */
function writeEntry(
  redis: RedisConnection,
  entry: StoreEntry,
  place: number,
  ids: Map<string, string>,
): Promise<unknown>[] {
  const set = (name: string, ...args: (string | number)[]) =>
    redis.command('HSET', name, ...args.map((arg) => String(arg)))
  if (entry.kind === 'secret')
    return [redis.command('SET', names.cursorSecret, entry.secret.toString('base64'))]
  const { account, createdAtMs } = entry
  if (entry.kind === 'account') {
    const id = String(place)
    const { plan, bySignUp, deletedAtMs, periods } = entry
    const latest = periods.findLast(({ requests }) => requests > 0)
    if (deletedAtMs === null) ids.set(account, id)
    const fields = ['name', account, 'plan', plan, 'createdAtMs', createdAtMs, 'bySignUp', bySignUp ? 1 : '']
    if (latest) fields.push('latestPeriodMs', latest.startMs)
    if (deletedAtMs !== null) fields.push('deletedAtMs', deletedAtMs)
    return [
      redis.command('ZADD', names.accountIndex, String(place), id),
      deletedAtMs === null
        ? redis.command('SET', names.namePointer(account), id)
        : redis.command('SADD', names.deletedAccounts(account), id),
      set(names.accountRecord(id), ...fields),
      ...periods.map(({ startMs, requests, plan: noted }) =>
        set(names.periods(id), startMs, requests, `${startMs}:plan`, toText(noted)),
      ),
    ]
  }
  const { keyId, digest, prefix, last4, enabled, expiresAtMs, name, note, lastUsedMs } = entry
  const id = ids.get(account)!
  const optional = { expiresAtMs, name, note, lastDay: lastUsedMs && lastUsedMs / dayMs }
  const more = Object.entries(optional).flatMap(([field, value]) => (value === null ? [] : [field, value]))
  const units = entry.units.flatMap(([startMs, requests]) => [`units:${startMs}`, requests])
  const fields = ['prefix', prefix, 'last4', last4, 'enabled', enabled ? 1 : 0, 'createdAtMs', createdAtMs]
  return [
    redis.command('ZADD', names.keyIndex, String(place), keyId),
    redis.command('SET', names.keyPointer(keyId), id),
    redis.command('SET', names.digestPointer(digest), `${keyId} ${id}`),
    redis.command('HSET', names.accountKeys(id), keyId, digest),
    set(names.keyRecord(id, keyId), ...fields, ...more, ...units),
  ]
}
