import { keyDigest } from '#metering/key.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import type { Subject } from '#metering/store.ts'

/** The key of the account of `addAnn`. */
export const ann: Subject = { kind: 'key', digest: keyDigest('a') }

/** Adds the account `ann` with one key. */
export async function addAnn({ directory }: MeterStore, plan = 'trial'): Promise<void> {
  await directory.createAccount('ann', plan)
  await directory.addKey('ann', { keyId: 'key_a', digest: keyDigest('a'), prefix: 'clk_abcd', last4: 'wxyz' })
}
