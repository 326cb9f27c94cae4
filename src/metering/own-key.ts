import type { Usage } from '#contract/usage.ts'
import { keyDigest } from './key.ts'
import type { MeterStore } from './store.ts'
import { toUsage } from './usage.ts'

/** What the holder of a key may know of its account: null if the key is not in force. @throws {StoreUnavailable} */
export async function usageOfKey({ counters }: MeterStore, key: string): Promise<Usage | null> {
  const decision = await counters.peek({ kind: 'key', digest: keyDigest(key) })
  return 'quota' in decision && decision.quota ? toUsage(decision.quota) : null
}

/** Disables a key for its holder. False if it is not in force. @throws {StoreUnavailable} */
export async function disableOwnKey(store: MeterStore, key: string): Promise<boolean> {
  if ((await usageOfKey(store, key)) === null) return false
  const digest = keyDigest(key)
  for (const [keyId, kept] of await store.digests())
    if (kept === digest) return (await store.directory.setKeyEnabled(keyId, false)) !== null
  return false
}
