import { randomBytes } from 'node:crypto'
import type { Plan } from '#contract/plans.ts'
import { foldName } from './account-name.ts'
import type { AccountRecord, KeyRecord, NewKey } from './store.ts'

/** A key in the record of its account. */
export interface StoredKey extends Omit<KeyRecord, 'account' | 'plan' | 'lastUsedMs'> {
  digest: string
}

/** The record of an account, with its keys: it is written as a whole. */
export interface StoredAccount extends AccountRecord {
  /** Null while it exists. */
  deletedAtMs: number | null
  /** In the order of creation. */
  keys: StoredKey[]
}

/** Names of the texts that a store keeps (see {@link Records}). A name leads to an account id. */
export const textNames = {
  account: (id: string) => `account:${id}`,
  name: (account: string) => `name:${foldName(account)}`,
  key: (keyId: string) => `key:${keyId}`,
  digest: (digest: string) => `digest:${digest}`,
  signUps: (network: string) => `sign-ups:${network}`,
  cursorSecret: 'cursor-secret',
} as const

/**
 * The record as a text: a random version, a blank, JSON. Equal versions are equal records, so that
 * a process which knows a record can ask whether it is still in force without reading it.
 */
export function formatAccount(account: StoredAccount): string {
  return `${randomBytes(9).toString('base64url')} ${JSON.stringify(account)}`
}

export function parseAccount(text: string): StoredAccount {
  return JSON.parse(text.slice(text.indexOf(' '))) as StoredAccount
}

/** The version of a record, with the blank after it. */
export function versionOf(text: string): string {
  return text.slice(0, text.indexOf(' ') + 1)
}

export function storedKey({ name, note, ...key }: NewKey, createdAtMs: number): StoredKey {
  return { ...key, enabled: true, createdAtMs, expiresAtMs: null, name: name ?? null, note: note ?? null }
}

/** A plan as it is noted in a period. */
export function formatPlan({ name, perPeriod, perMinute }: Plan): string {
  return JSON.stringify({ name, perPeriod, perMinute })
}
