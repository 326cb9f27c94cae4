import type { RedisOptions } from './redis/store.ts'
import { SqliteStore, type SqliteOptions } from './sqlite/store.ts'
import type { MeterStore } from './meter-store.ts'

/** The options of all stores; each uses its own. */
type StoreOptions = SqliteOptions & RedisOptions

/**
 * Opens the store that an address names: `sqlite:<file>`, the file absolute or relative to the
 * working directory, or `redis://…` (TLS: `rediss://…`) for a Redis, a Valkey or a cluster of them.
 *
 * @throws {RangeError} no such kind of store
 * @throws {Error} not a store of ours, of another version, or with an account on a plan that the
 * plans lack
 * @throws {StoreUnavailable} the store cannot be opened
 */
export async function openStore(url: string, options: StoreOptions): Promise<MeterStore> {
  const file = fileOfAddress(url)
  if (file !== null) return await SqliteStore.open(file, options)
  // Loaded here: most commands use a file, and loading the Redis client takes longer than running
  // them.
  const { RedisStore } = await import('./redis/store.ts')
  return await RedisStore.open(url, options)
}

/**
 * The file that the address of a store names; null if it names a Redis.
 *
 * @throws {RangeError} it names no kind of store
 */
export function fileOfAddress(url: string): string | null {
  const file = /^sqlite:(.+)$/s.exec(url)?.[1]
  if (file !== undefined) return file
  if (/^rediss?:./s.test(url) && URL.canParse(url) && new URL(url).hostname !== '') return null
  // What follows the scheme of Redis may be a password.
  const shown = url.replace(/^(rediss?:\/*)[^/].*/s, '$1…').replace(/\/\/.*@/s, '//…@')
  throw new RangeError(
    `cannot open the store "${shown}": wanted sqlite:<file>, redis://<host> or rediss://<host>`,
  )
}
