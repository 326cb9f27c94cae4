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
 * over all processes. A clock that steps back by less than an hour does not reopen a spent window
 * or period. One that steps back further does, so that a wrong clock has an effect for an hour at
 * most.
 */
export interface Counters {
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
