import { randomBytes } from 'node:crypto'
import type { Plan } from '#contract/plans.ts'
import { foldName } from './account-name.ts'

/** A key, without its text. */
export interface StoredKey {
  keyId: string
  /** The digest of the key: see `keyDigest`. */
  digest: string
  /** The first characters of the key, enough to tell keys apart. */
  prefix: string
  last4: string
  enabled: boolean
  createdAtMs: number
  /** The time from which the key is refused; null: never. */
  expiresAtMs: number | null
  /** The name that the key's owner gave it. */
  name: string | null
  /** The reason for its creation. */
  note: string | null
}

/** The stored fields of a new key. */
export type NewKey = Pick<StoredKey, 'keyId' | 'digest' | 'prefix' | 'last4'> &
  Partial<Pick<StoredKey, 'name' | 'note'>>

/** An account with its keys, which is written as a whole. */
export interface AccountRecord {
  id: string
  account: string
  plan: string
  createdAtMs: number
  /** Whether its owner created it by sign-up. Then nobody has checked whose name it is. */
  bySignUp: boolean
  /** Null while the account exists. */
  deletedAtMs: number | null
  /** The keys in the order of creation; those of a deleted account are disabled. */
  keys: StoredKey[]
}

/** A key with the id, name and plan of its account. */
export type KeyRecord = StoredKey & Pick<AccountRecord, 'account' | 'plan'> & { accountId: string }

/** The names of the texts in a store (see {@link Records}). A name leads to an account id. */
export const textNames = {
  account: (id: string) => `account:${id}`,
  name: (account: string) => `name:${foldName(account)}`,
  key: (keyId: string) => `key:${keyId}`,
  digest: (digest: string) => `digest:${digest}`,
  signUps: (network: string) => `sign-ups:${network}`,
  cursorSecret: 'cursor-secret',
} as const

/**
 * Formats the record as a text: a random version, a blank, JSON. Records with equal versions are
 * equal, so a process that knows a record can check whether it is still current without reading it.
 */
export function formatAccount(account: AccountRecord): string {
  return `${randomBytes(9).toString('base64url')} ${JSON.stringify(account)}`
}

export function parseAccount(text: string): AccountRecord {
  return JSON.parse(text.slice(text.indexOf(' '))) as AccountRecord
}

/** Returns the version of a record, with the blank after it. */
export function versionOf(text: string): string {
  return text.slice(0, text.indexOf(' ') + 1)
}

/** Formats a plan as it is stored in a period. */
export function formatPlan({ name, perPeriod, perMinute }: Plan): string {
  return JSON.stringify({ name, perPeriod, perMinute })
}
