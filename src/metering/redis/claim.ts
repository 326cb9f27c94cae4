import { randomUUID } from 'node:crypto'
import type { RedisConnection } from './connection.ts'
import { accountIndex, storeId, storeMark } from './keys.ts'

/** Incremented whenever the keys change. */
const schemaVersion = 1
const mark = 'clip-lookup meter '
const ours = mark + schemaVersion
/** The mark while another store is copied into it. */
const unfinished = `${mark}unfinished`

/**
 * Checks that a Redis holds a store of ours, and creates one if it is empty. Safe for many
 * processes at once. Returns the id of the store.
 *
 * @throws {Error} it holds keys of another program or another version, or has lost its mark
 */
export async function claim(redis: RedisConnection): Promise<string> {
  const held = await redis.within('read its mark', async () => {
    const before = await readMark(redis)
    if (before !== null) return before
    const isInUse = (await redis.command('EXISTS', accountIndex)) === 1
    if (!isInUse) await redis.command('SET', storeMark, ours, 'NX')
    // Read again: another process may have opened it in the meantime.
    return await readMark(redis)
  })
  if (held === ours) return await ensureStoreId(redis)
  if (held === null)
    throw new Error(`it has accounts, but no longer its "${storeMark}", and may have lost more`)
  if (held === unfinished) throw new Error('a copy into it was not finished: empty it and copy again')
  if (!held.startsWith(mark)) throw new Error(`its "${storeMark}" is not that of a clip-lookup store`)
  const version = held.slice(mark.length)
  throw new Error(`its schema has version ${version}, this program needs version ${schemaVersion}`)
}

/** Marks the store so that it cannot be opened. */
export async function beginFilling(redis: RedisConnection): Promise<void> {
  await redis.command('SET', storeMark, unfinished)
}

export async function endFilling(redis: RedisConnection): Promise<void> {
  await redis.command('SET', storeMark, ours)
}

async function ensureStoreId(redis: RedisConnection): Promise<string> {
  const fresh = randomUUID()
  const kept = await redis.within('read its id', () => redis.command('SET', storeId, fresh, 'NX', 'GET'))
  return (kept as string | null) ?? fresh
}

/** The mark of the store; empty if the key is not a text, which is another program's. */
async function readMark(redis: RedisConnection): Promise<string | null> {
  const type = await redis.command('TYPE', storeMark)
  if (type !== 'string' && type !== 'none') return ''
  return (await redis.command('GET', storeMark)) as string | null
}
