import type { MeterStore } from './meter-store.ts'
import { StoreUnavailable, type StoreOptions } from './store.ts'
import { openSqliteStore } from './sqlite/store.ts'

/** An error that `openStore` throws. */
export interface OpeningFault extends Error {
  /** Whether the message ends with advice on what to do. */
  hasAdvice?: boolean
}

/**
 * Opens the store that an address names: `sqlite:<file>` with a path, absolute or relative to the
 * working directory, or `redis://…` (TLS: `rediss://…`) for a Redis, a Valkey or a cluster.
 *
 * @throws {RangeError} no such kind of store
 * @throws {Error} not a store, of another version, or with an account on a plan that the plans lack
 * @throws {StoreUnavailable} the store cannot be opened
 */
export async function openStore(url: string, options: StoreOptions): Promise<MeterStore> {
  const file = fileOfAddress(url)
  let store: MeterStore | undefined
  try {
    // The Redis store is loaded only if needed: loading it takes longer than most commands run.
    const open = file === null ? (await import('./redis/store.ts')).openRedisStore : openSqliteStore
    store = await open(file ?? url, options)
    if (options.unknownPlans !== 'allow') await store.directory.usePlans(options.plans)
    return store
  } catch (error) {
    const isUnavailable = error instanceof StoreUnavailable
    if (store && file === null && options.waits && isUnavailable) return store
    await store?.close()
    const { message, hasAdvice } = error as OpeningFault
    const isOutOfReach = /^(connect|getaddrinfo) /.test(message)
    const fault = isOutOfReach ? `${message}. Check the address, and that the server is running` : message
    const Refusal = isUnavailable ? StoreUnavailable : Error
    // Without the cause, because that of a failed handshake may contain the password.
    const refusal = new Refusal(`cannot open the store "${file ?? withoutPassword(url)}": ${fault}`)
    throw Object.assign(refusal, { hasAdvice: isOutOfReach || hasAdvice })
  }
}

/**
 * Returns the file that the address of a store names; null if it names a Redis.
 *
 * @throws {RangeError} it does not name a store
 */
export function fileOfAddress(url: string): string | null {
  const file = /^sqlite:(.+)$/s.exec(url)?.[1]
  if (file !== undefined) return file
  if (/^rediss?:./s.test(url) && URL.canParse(url) && new URL(url).hostname !== '') return null
  // The text after the scheme of Redis may be a password.
  const safeUrl = withoutPassword(url.replace(/^(rediss?:\/*)[^/].*/s, '$1…'))
  throw new RangeError(
    `cannot open the store "${safeUrl}": its address must be sqlite:<file>, redis://<host> or rediss://<host>`,
  )
}

/** Returns the address in a form that may be shown. */
function withoutPassword(url: string): string {
  return url.replace(/\/\/.*@/s, '//…@')
}
