import type { Plan } from '#contract/plans.ts'
import type { Period } from './period.ts'

/** A key, by the SHA-256 of its text in hexadecimal. */
export type KeySubject = { kind: 'key'; digest: string }
/** A client address, which stands for a client without a key. */
export type AddressSubject = { kind: 'address'; address: string; perMinute: number }
/** The key or address that is metered. */
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
  accountId: string
  plan: Plan
  period: Period
  /** Units counted in the period. */
  requests: number
}

/**
 * The period that a unit was taken from, so that it can be given back. The account is named by its
 * id, because it may be renamed or deleted in the meantime.
 */
export interface Receipt {
  accountId: string
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
  /** No key with this digest is valid: it is unknown, disabled or expired. */
  | { outcome: 'unknown_key' }

/**
 * The store cannot be reached or does not answer. A request that cannot be metered is not served.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/**
 * Windows and quotas, which every request passes.
 *
 * Invariants: a unit is counted before `consume` answers `admitted`, and is still counted after any
 * crash of the process. The units admitted in a period never exceed the limit of the plan in force,
 * over all processes. A clock that steps back by less than an hour does not reopen a used-up window
 * or period. One that steps back further does, so that a wrong clock has an effect for at most an
 * hour.
 */
export interface Counters {
  /**
   * Uses a place in the subject's minute window, even if the request is then refused. When the
   * window allows it and `units` is 1, also uses a unit of the account's quota. Window and period
   * roll over first. Addresses have no quota.
   *
   * @throws {StoreUnavailable}
   */
  consume(subject: Subject, units: 0 | 1): Promise<Decision>
  /**
   * Gives the same answer, but counts nothing: an address or a valid key is `admitted`, even if
   * nothing is left.
   *
   * @throws {StoreUnavailable}
   */
  peek(subject: Subject): Promise<Decision>
  /** Gives one unit back after a fault of the service. @throws {StoreUnavailable} */
  giveBack(receipt: Receipt): Promise<void>
  /** Returns the id of a key that this process metered recently, without asking the store. */
  keyIdOf(digest: string): string | undefined
}

/** Options for opening a store. Each kind of store uses some of them. */
export interface StoreOptions {
  plans: readonly Plan[]
  clock: { now(): number }
  /**
   * What to do about accounts on a plan that `plans` lacks: `refuse` to open (the default), or
   * `allow` them, for the commands that repair this. Either way they are not metered.
   */
  unknownPlans?: 'refuse' | 'allow'
  /** Refuse to open a store that another process uses, and keep others out if possible. */
  exclusive?: boolean
  /** Receives a warning when the clock steps, and when the store has to be waited for. */
  log?: { warn(message: string): void } | undefined

  /**
   * How long a call waits for the store, in milliseconds: by default 5000 for a file that another
   * process holds, and 800 for Redis.
   */
  patienceMs?: number
  /**
   * The events that a count in a file survives: a crash of the process, or also a power failure.
   */
  durability?: 'process' | 'power'

  /**
   * Whether to create a store in a Redis that has none. By default, such a Redis is refused,
   * because it may have lost its data. A missing file is always created.
   */
  mayCreate?: boolean
  /**
   * Whether to return even if Redis is out of reach or has no store. Every call then throws {@link
   * StoreUnavailable} until it has one.
   */
  waits?: boolean
  /**
   * The clock for a Redis: the `server`'s, which all machines share (the default), or `clock`, for
   * tests.
   */
  time?: 'server' | 'clock'
}
