import { randomBytes } from 'node:crypto'
import type { Plan } from '#contract/plans.ts'
import { foldName } from './account-name.ts'

/** A key: never its text. */
export interface StoredKey {
  keyId: string
  /** See `keyDigest`. */
  digest: string
  /** The first characters of the key, enough to tell keys apart. */
  prefix: string
  last4: string
  enabled: boolean
  createdAtMs: number
  /** The key is refused from this instant on; null: never. */
  expiresAtMs: number | null
  /** What its holder calls it. */
  name: string | null
  /** Why it was made. */
  note: string | null
}

/** What is stored of a new key. */
export type NewKey = Pick<StoredKey, 'keyId' | 'digest' | 'prefix' | 'last4'> &
  Partial<Pick<StoredKey, 'name' | 'note'>>

/** An account with its keys: it is written as a whole. */
export interface AccountRecord {
  id: string
  account: string
  plan: string
  createdAtMs: number
  /** Made by its holder with the sign-up form: nobody has checked whose name it is. */
  bySignUp: boolean
  /** Null while it exists. */
  deletedAtMs: number | null
  /** In the order of creation. Those of a deleted account are disabled. */
  keys: StoredKey[]
}

/** A key, with id, name and plan of its account. */
export type KeyRecord = StoredKey & Pick<AccountRecord, 'account' | 'plan'> & { accountId: string }

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
export function formatAccount(account: AccountRecord): string {
  return `${randomBytes(9).toString('base64url')} ${JSON.stringify(account)}`
}

export function parseAccount(text: string): AccountRecord {
  return JSON.parse(text.slice(text.indexOf(' '))) as AccountRecord
}

/** The version of a record, with the blank after it. */
export function versionOf(text: string): string {
  return text.slice(0, text.indexOf(' ') + 1)
}

/** A plan as it is noted in a period. */
export function formatPlan({ name, perPeriod, perMinute }: Plan): string {
  return JSON.stringify({ name, perPeriod, perMinute })
}
