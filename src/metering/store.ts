import type { Plan } from '#contract/plans.ts'

/** Who is metered: a key by the SHA-256 of its text, or, where there is no key, a client address. */
export type Subject =
  { kind: 'key'; digest: Buffer } | { kind: 'address'; address: string; perMinute: number }

/** The minute window of a subject. */
export interface WindowState {
  /** Requests allowed in the window. */
  limit: number
  /** Requests left in the window, never below 0. */
  remaining: number
  /** Unix seconds when the window rolls over. */
  resetAtS: number
}

/** The billing period of an account. */
export interface QuotaState {
  account: string
  plan: string
  periodStartMs: number
  periodEndMs: number
  /** Units counted in the period. */
  requests: number
  /** Units allowed in the period, null where the plan is uncapped. */
  limit: number | null
  perMinute: number
}

/** What a unit was taken from, so that it can be given back to just there. */
export interface Receipt {
  account: string
  periodStartMs: number
}

/** The answer of both verbs. A denial is a value; only a fault of the store is an exception. */
export type Decision =
  | { outcome: 'admitted'; window: WindowState; quota: QuotaState | null; receipt: Receipt | null }
  | { outcome: 'rate_limited'; window: WindowState; quota: QuotaState | null; retryAfterS: number }
  | { outcome: 'quota_exceeded'; window: WindowState; quota: QuotaState; retryAfterS: number }
  /** No key with this digest is in force: unknown, disabled or expired. */
  | { outcome: 'unknown_key' }

/** A key as it may be shown: never its text. */
export interface KeyRecord {
  keyId: string
  account: string
  plan: string
  /** The first characters of the key, enough to tell keys apart. */
  prefix: string
  last4: string
  enabled: boolean
  createdAtMs: number
  /** From this instant on the key is refused; null: never. */
  expiresAtMs: number | null
}

export interface AccountRecord {
  account: string
  plan: string
  createdAtMs: number
}

/** What the store keeps of a new key. */
export interface NewKey {
  keyId: string
  digest: Buffer
  prefix: string
  last4: string
}

/** The store cannot be reached or does not answer: requests that cannot be metered are not served. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/**
 * The seam of metering: counters, accounts and keys, in one store shared by all processes. Every implementation is held to
 * the same suite of tests.
 *
 * Invariants: a unit is counted before `consume` answers `admitted`, and is still counted after any crash of the process;
 * the units admitted in a period never exceed the limit of the plan in force, over all processes; changes of plan and of
 * keys are seen by the next call, in every process.
 */
export interface MeterStore {
  /**
   * Spends a place in the subject's minute window (a refused one too) and, when the window allows and `units` is 1, a unit of its
   * account's quota. Rolls window and period over first. Addresses have no quota.
   *
   * @throws {StoreUnavailable}
   */
  consume(subject: Subject, units: 0 | 1): Promise<Decision>
  /** The same answer, spending nothing: `admitted` for a key in force and for an address, whatever is left. @throws {StoreUnavailable} */
  peek(subject: Subject): Promise<Decision>
  /** Gives one unit back after a fault of ours. @throws {StoreUnavailable} */
  giveBack(receipt: Receipt): Promise<void>

  /** The secret that signs cursors, made at first use; 32 bytes, the same for every process on this store. */
  cursorSecret(): Promise<Buffer>

  /** Creates the account with its plan where it is not there; gives the account as it is. */
  ensureAccount(account: string, plan: string): Promise<AccountRecord>
  /** Creates the account; null where there is one of this name already. Of two that try at one instant, one succeeds. */
  createAccount(account: string, plan: string): Promise<AccountRecord | null>
  /** Counts one more sign-up of an address on this day (in UTC); false, counting nothing, where it has had `perDay`. */
  countSignUp(address: string, perDay: number): Promise<boolean>
  account(name: string): Promise<AccountRecord | null>
  accounts(): Promise<AccountRecord[]>
  /** Gives the changed account, null where there is none. */
  setPlan(account: string, plan: string): Promise<AccountRecord | null>
  /** The period in force of an account, null where there is none. */
  quota(account: string): Promise<QuotaState | null>

  addKey(account: string, key: NewKey): Promise<KeyRecord>
  key(keyId: string): Promise<KeyRecord | null>
  keys(): Promise<KeyRecord[]>
  /** Gives the changed key, null where there is none. */
  setKeyEnabled(keyId: string, enabled: boolean): Promise<KeyRecord | null>
  /**
   * Adds `next` to the account of the key and lets that key expire in `overlapMs` by the store's own time (it keeps an earlier expiry), in one step.
   * Gives the new key, null where there is no key `keyId`.
   */
  rotateKey(keyId: string, next: NewKey, overlapMs: number): Promise<KeyRecord | null>

  /** Copies the whole store into a file while it is in use; absent where the store brings its own means. @throws {StoreUnavailable} */
  backup?(file: string): Promise<void>

  close(): Promise<void>
}

/** What every store is opened with. */
export interface MeterOptions {
  plans: readonly Plan[]
  clock: { now(): number }
  /**
   * Accounts on a plan that `plans` lacks: `refuse` to open (unless given), or `allow` them, for the commands that mend this. They are not
   * metered either way.
   */
  unknownPlans?: 'refuse' | 'allow'
}
