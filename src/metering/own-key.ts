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
  const isInForce = (await quotaOf(store, key)) !== null
  const keyId = isInForce ? store.counters.keyIdOf(keyDigest(key)) : undefined
  return keyId !== undefined && (await store.directory.setKeyEnabled(keyId, false)) !== null
}

async function quotaOf({ counters }: MeterStore, key: string): Promise<QuotaState | null> {
  const decision = await counters.peek({ kind: 'key', digest: keyDigest(key) })
  return decision.outcome === 'unknown_key' ? null : decision.quota
}
