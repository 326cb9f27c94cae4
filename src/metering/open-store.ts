import { SqliteStore, type SqliteOptions } from './sqlite-store.ts'
import type { MeterStore } from './store.ts'

/**
 * Opens the store that an address names: `sqlite:<file>`, the file absolute or relative to the working directory.
 *
 * @throws {Error} no such kind of store, not a store of ours, of another version, or with an account on a plan that the plans lack
 * @throws {StoreUnavailable} the store cannot be opened
 */
export async function openStore(url: string, options: SqliteOptions): Promise<MeterStore> {
  const [, scheme, rest] = /^([a-z]+):(.+)$/s.exec(url) ?? []
  if (scheme === 'sqlite') return await SqliteStore.open(rest!, options)
  if (scheme === 'redis' || scheme === 'rediss') {
    throw new Error(
      `cannot open the store "${withoutPassword(url)}": this version has no Redis store, use sqlite:<file>`,
    )
  }
  throw new Error(`cannot open the store "${withoutPassword(url)}": wanted sqlite:<file>`)
}

/** The address as it may be shown in logs. */
function withoutPassword(url: string): string {
  return url.replace(/\/\/.*@/s, '//…@')
}
