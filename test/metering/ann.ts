import { keyDigest } from '#metering/key.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import type { Subject } from '#metering/store.ts'
import type { NewKey } from '#metering/account-record.ts'

/** Returns the key with a name, as the counters know it. */
export function keyed(name: string): Subject {
  return { kind: 'key', digest: keyDigest(name) }
}

/** Returns the key with a name, in the form for adding it. */
export function newKey(name: string): NewKey {
  return { keyId: `key_${name}`, digest: keyDigest(name), prefix: 'clk_abcd', last4: 'wxyz' }
}

/** The key of the account that `addAnn` creates. */
export const ann = keyed('a')

/** Adds an account with keys, each known by its name. */
export async function addAccount(
  { directory }: MeterStore,
  account: string,
  plan: string,
  ...keys: string[]
): Promise<void> {
  await directory.createAccount(account, plan)
  for (const key of keys) await directory.addKey(account, newKey(key))
}

/** Adds the account `ann` with one key. */
export async function addAnn(store: MeterStore, plan = 'trial'): Promise<void> {
  await addAccount(store, 'ann', plan, 'a')
}
