import type { RedisConnection } from './connection.ts'
import * as names from './keys.ts'
import * as scripts from './directory-scripts.ts'

/**
 * Deletes an account and its keys. All that is in its slot, the record too, is deleted first and in
 * one step: from then on the keys are refused. A crash after that leaves pointers to nothing.
 */
export async function deleteAccount(redis: RedisConnection, account: string): Promise<void> {
  const { inSlot, keyIds, pointers } = await findKeys(redis, account)
  await redis.command('DEL', ...(inSlot as [string]))
  for (const { name } of pointers) await redis.command('DEL', name)
  if (keyIds.length > 0) await redis.command('ZREM', names.keyIndex, ...keyIds)
  await redis.command('ZREM', names.accountIndex, account)
}

/**
 * Moves an account and its keys to another name. Returns false if there is no such account.
 *
 * @throws {Error} the name is taken, or Redis is a cluster
 */
export async function renameAccount(redis: RedisConnection, from: string, to: string): Promise<boolean> {
  if (redis.isCluster)
    throw new Error(`cannot rename "${from}": in a Redis cluster its data would have to move between servers`)
  const { inSlot, pointers } = await findKeys(redis, from)
  const pairs = inSlot.flatMap((name) => [name, names.movedName(name, from, to)])
  const keys = [names.accountRecord(from), names.accountRecord(to), names.accountIndex, ...pairs]
  const targets = pointers.map(({ target }) => target + to)
  const result = await redis.run(
    scripts.renameAccount,
    [...keys, ...pointers.map(({ name }) => name)],
    [from, to, String(inSlot.length), ...targets],
  )
  if (result === -1) throw new Error(`cannot rename "${from}": there is already an account "${to}"`)
  return result === 1
}

/**
 * All keys in Redis that belong to an account: those in its slot, and the pointers to its API keys,
 * with their values without the account.
 */
async function findKeys(redis: RedisConnection, account: string) {
  const inSlot = new Set<string>()
  for await (const batch of redis.scan(names.accountPattern(account)))
    for (const name of batch) inSlot.add(name)
  const keyIds = [...inSlot].map((name) => names.keyIdOf(name, account)).filter((id) => id !== undefined)
  const pointers = keyIds.map((keyId) => ({ name: names.keyPointer(keyId), target: '' }))
  const digests = keyIds.length > 0 ? await digestsByKey(redis, new Set(keyIds)) : new Map()
  for (const [keyId, digest] of digests)
    pointers.push({ name: names.digestPointer(digest), target: `${keyId} ` })
  return { inSlot: [...inSlot], keyIds, pointers }
}

/** The digest of each key. Only the pointers have it, so all of them are read. */
export async function digestsByKey(
  redis: RedisConnection,
  keyIds?: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const digests = new Map<string, string>()
  for await (const batch of redis.scan(names.digestPattern)) {
    const targets = await Promise.all(batch.map((pointer) => redis.command('GET', pointer)))
    for (const [i, target] of targets.entries()) {
      const keyId = String(target).split(' ')[0]!
      if (keyIds?.has(keyId) ?? true) digests.set(keyId, names.digestOf(batch[i]!))
    }
  }
  return digests
}
