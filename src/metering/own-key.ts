import type { Usage } from '#contract/usage.ts'
import { keyDigest } from './key.ts'
import type { MeterStore } from './meter-store.ts'
import type { QuotaState } from './store.ts'
import { toUsage } from './usage.ts'

/**
 * What the holder of a key may know of its account: null if the key is not in force.
 *
 * @throws {StoreUnavailable}
 */
export async function usageOfKey(store: MeterStore, key: string): Promise<Usage | null> {
  const quota = await quotaOf(store, key)
  return quota && toUsage(quota)
}

/** Disables a key for its holder. False if it is not in force. @throws {StoreUnavailable} */
export async function disableOwnKey(store: MeterStore, key: string): Promise<boolean> {
  const quota = await quotaOf(store, key)
  // An account has few keys, and hardly two with the same beginning and end.
  const own = (await store.directory.keys()).filter(
    ({ account, prefix, last4 }) =>
      account === quota?.account && key.startsWith(prefix) && key.endsWith(last4),
  )
  if (own.length !== 1) return false
  return (await store.directory.setKeyEnabled(own[0]!.keyId, false)) !== null
}

async function quotaOf({ counters }: MeterStore, key: string): Promise<QuotaState | null> {
  const decision = await counters.peek({ kind: 'key', digest: keyDigest(key) })
  return decision.outcome === 'unknown_key' ? null : decision.quota
}
