import type { Plan } from '#contract/plans.ts'

/** A key, by the SHA-256 of its text in hexadecimal. */
export type KeySubject = { kind: 'key'; digest: string }
/** A client address, which stands for a client without a key. */
export type AddressSubject = { kind: 'address'; address: string; perMinute: number }
/** Who is metered. */
export type Subject = KeySubject | AddressSubject

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

/** What a unit was taken from, so that it can be given back to the same period. */
export interface Receipt {
  account: string
  keyId?: string | undefined
  periodStartMs: number
}

/**
 * The answer to both `consume` and `peek`. A denial is a value; only a fault of the store throws.
 */
export type Decision =
  | { outcome: 'admitted'; window: WindowState; quota: QuotaState | null; receipt: Receipt | null }
  | { outcome: 'rate_limited'; window: WindowState; quota: QuotaState | null; retryAfterS: number }
  | { outcome: 'quota_exceeded'; window: WindowState; quota: QuotaState; retryAfterS: number }
  /** No key with this digest is in force: it is unknown, disabled or expired. */
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
  /** The key is refused from this instant on; null: never. */
  expiresAtMs: number | null
  /** What its holder calls it. */
  name: string | null
  /** Why it was made. */
  note: string | null
  /** The beginning of the day (UTC) when it last spent a place in a window; null: never. */
  lastUsedMs: number | null
}

export interface AccountRecord {
  account: string
  plan: string
  createdAtMs: number
  /** Made by its holder with the sign-up form: nobody has checked whose name it is. */
  bySignUp: boolean
}

/** The units counted in one period of an account. */
export interface PeriodCount {
  startMs: number
  requests: number
  /** The plan that was last in force in it, with the limits that it had then. */
  plan: Plan
}

/** An account, perhaps a deleted one, with what was counted of it. */
export interface AccountHistory extends AccountRecord {
  /** Null while it exists. */
  deletedAtMs: number | null
  /** The periods in which it was counted or got its plan, oldest first; the first one always. */
  periods: PeriodCount[]
}

/** A record that a store keeps permanently; not a window or the sign-ups of a day. */
export type StoreEntry =
  | { kind: 'secret'; secret: Buffer }
  | ({ kind: 'account' } & AccountHistory)
  | ({ kind: 'key' } & KeyContent & Omit<KeyRecord, 'plan'>)

export interface KeyContent {
  digest: string
  /** The units that it spent in each period, by its start in milliseconds, oldest first. */
  units: [startMs: number, requests: number][]
}

/** A change that a command or the admin API made. */
export interface Change {
  /** Who made it: a user and machine, or the admin API. */
  actor: string
  /** `keys create`, as the command is called. */
  action: string
  /** What was changed: the account, the key, the plan. Never the text of a key. */
  details: Record<string, string | number | null>
}

export interface LoggedChange extends Change {
  atMs: number
}

/** The log of changes keeps this many. */
export const maxChanges = 100_000

/** What the store keeps of a new key. */
export interface NewKey {
  keyId: string
  /** See `keyDigest`. */
  digest: string
  prefix: string
  last4: string
  name?: string | undefined
  note?: string | undefined
}

/**
 * The store cannot be reached or does not answer. A request that cannot be metered is not served.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** An account cannot be renamed, because another has the name. */
export class NameTaken extends Error {
  constructor(account: string, holder: string) {
    super(`cannot rename "${account}": there is already an account "${holder}"`)
  }
}

export type OnCalled = (call: 'consume' | 'peek' | 'giveBack', durationMs: number, isFailed: boolean) => void

/**
 * Windows and quotas, which every request passes.
 *
 * Invariants: a unit is counted before `consume` answers `admitted`, and is still counted after any
 * crash of the process. The units admitted in a period never exceed the limit of the plan in force,
 * over all processes. A clock that steps back by less than an hour does not reopen a spent window
 * or period. One that steps back further does, so that a wrong clock has an effect for an hour at
 * most.
 */
export interface Counters {
  /** Called when a call has ended, with the time it took. Absent unless somebody measures. */
  onCalled?: OnCalled | undefined

  /**
   * Spends a place in the subject's minute window, even if the request is then refused. When the
   * window allows it and `units` is 1, also spends a unit of the account's quota. Window and period
   * roll over first. Addresses have no quota.
   *
   * @throws {StoreUnavailable}
   */
  consume(subject: Subject, units: 0 | 1): Promise<Decision>
  /**
   * Gives the same answer but spends nothing: `admitted` for an address and for a key in force,
   * whatever is left.
   *
   * @throws {StoreUnavailable}
   */
  peek(subject: Subject): Promise<Decision>
  /** Gives one unit back after a fault of ours. @throws {StoreUnavailable} */
  giveBack(receipt: Receipt): Promise<void>
  /**
   * The id of a key that this process has metered recently, by its digest: for logs, without a call
   * of the store.
   */
  keyIdOf(digest: string): string | undefined
}

/**
 * Accounts and keys. A change is seen by the next call in every process. Accounts are found by
 * `foldName` of their names, so that `BigCorp` and `bigcorp` are one.
 *
 * Every method throws {@link StoreUnavailable} when the store cannot be reached.
 */
export interface Directory {
  /** The 32-byte secret that signs cursors. It is made at first use and shared by all processes. */
  cursorSecret(): Promise<Buffer>

  /** Creates the account; null if the name is taken. Of two simultaneous calls, one succeeds. */
  createAccount(account: string, plan: string, bySignUp?: boolean): Promise<AccountRecord | null>
  /**
   * Counts a sign-up of a network today (UTC). Returns false, counting nothing, after `perDay`.
   */
  countSignUp(network: string, perDay: number): Promise<boolean>
  account(name: string): Promise<AccountRecord | null>
  /** All accounts, in the order of creation. */
  accounts(): Promise<AccountRecord[]>
  /**
   * Every account that exists or was deleted and not purged, in the order of creation; with a name,
   * only those that have it or had it last.
   */
  histories(name?: string): AsyncGenerator<AccountHistory>
  /**
   * Moves an account to a plan, which is noted in its period in force if this process knows it.
   * Returns the changed account, null if there is none.
   */
  setPlan(account: string, plan: string): Promise<AccountRecord | null>
  /** The account's period in force, null if there is no such account. */
  quota(account: string): Promise<QuotaState | null>
  /**
   * Renames an account, which keeps its keys and counts. Returns it, null if there is none.
   *
   * @throws {NameTaken}
   */
  renameAccount(account: string, name: string): Promise<AccountRecord | null>
  /**
   * Deletes an account and its keys. What was counted is kept for billing. Returns what it was,
   * if there is none.
   */
  deleteAccount(account: string): Promise<AccountRecord | null>
  /** Forgets what was counted of the deleted accounts that had this name. */
  purge(account: string): Promise<void>

  /** @throws {Error} there is no such account */
  addKey(account: string, key: NewKey): Promise<KeyRecord>
  /** All keys, in the order of creation. */
  keys(): Promise<KeyRecord[]>
  /** The units that were counted in a period, by the id of the key that spent them. */
  unitsByKey(account: string, periodStartMs: number): Promise<Map<string, number>>
  /** Returns the changed key, null if there is none. */
  setKeyEnabled(keyId: string, enabled: boolean): Promise<KeyRecord | null>
  /** Adds a line to the log of changes, which keeps the last 100,000. */
  log(change: Change): Promise<void>
  /** The log of changes, oldest first. */
  changes(): AsyncGenerator<LoggedChange>

  /**
   * Adds `next` to the key's account and makes the key expire in `overlapMs` by the store's own
   * time, in one step. An earlier expiry stays. Returns the new key, null if there is no `keyId`.
   */
  rotateKey(keyId: string, next: NewKey, overlapMs: number): Promise<KeyRecord | null>
}

/** A store shared by all processes. Every implementation passes the same suite of tests. */
export interface MeterStore {
  readonly counters: Counters
  readonly directory: Directory

  /**
   * Puts other plans in force.
   *
   * @throws {Error} an account is on a plan that they lack: the old ones stay
   */
  usePlans(plans: readonly Plan[]): Promise<void>

  /**
   * Copies the whole store into a new file while it is in use. Absent if the server of the store
   * has its own backups.
   */
  backup?(file: string): Promise<void>

  /** What a copy needs of each key beside its record, by its id. */
  keyContents(): Promise<ReadonlyMap<string, KeyContent>>
  /** Fills an empty store with the entries of another. @throws {Error} it is not empty */
  fill(entries: AsyncIterable<StoreEntry>): Promise<void>

  close(): Promise<void>
}

/** What every store is opened with. */
export interface MeterOptions {
  plans: readonly Plan[]
  clock: { now(): number }
  /**
   * What to do about accounts on a plan that `plans` lacks: `refuse` to open (the default), or
   * `allow` them, for the commands that repair this. Either way they are not metered.
   */
  unknownPlans?: 'refuse' | 'allow'
  /** Refuse to open a store that another process uses, and keep others out if the store can. */
  exclusive?: boolean
  /**
   * Make the store if there is none. A file is always made; a Redis without a store is refused
   * unless this is set, because it may have lost its data.
   */
  mayCreate?: boolean
  /**
   * Return although Redis is out of reach or has no store: every call throws
   * {@link StoreUnavailable} until it has one.
   */
  waits?: boolean
  /** Gets a warning when the clock steps, and when the store has to be waited for. */
  log?: { warn(message: string): void } | undefined
}
