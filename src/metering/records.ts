import type { Plan } from '#contract/plans.ts'

/** The lists of a store, each in the order of creation: account ids and logged changes. */
export type ListName = 'accounts' | 'changes'

/** What was counted of an account, or of one of its keys. */
export interface Counts {
  /**
   * The start of the period in which the account was last counted, or of the day (UTC) on which the
   * key was last used; null: never.
   */
  latestMs: number | null
  /** Oldest first. */
  periods: {
    startMs: number
    /** Not 0 in the counts of a key. */
    requests: number
    /** The plan that was last in force in it; null in the counts of a key. */
    plan: Plan | null
  }[]
}

export interface SwapOptions {
  /** The text may be forgotten after this time. */
  lifeMs?: number
  /** Notes, in the same step, the plan that is in force in a period of an account. */
  note?: { id: string; startMs: number; plan: Plan } | undefined
}

/**
 * What the directory is made of: texts by name, which change one at a time, lists, and what the
 * counters have counted. Both stores implement it; the rules on accounts and keys stand above it,
 * in `Directory`.
 *
 * Every method throws {@link StoreUnavailable} if the store cannot be reached in time.
 */
export interface Records {
  /** The store's own time, in milliseconds since the Unix epoch. */
  now(): Promise<number>

  get(name: string): Promise<string | null>
  /**
   * Replaces a text, in one step, if it still is `from`; null is no text. Returns whether it did.
   */
  swap(name: string, from: string | null, to: string | null, options?: SwapOptions): Promise<boolean>

  /** @param keep drops the oldest lines beyond this many */
  append(list: ListName, line: string, keep?: number): Promise<void>
  drop(list: ListName, line: string): Promise<void>
  /** The lines of a list in batches. */
  lines(list: ListName): AsyncGenerator<string[]>

  /** What was counted of an account, or of one of its keys. */
  counts(id: string, keyId?: string): Promise<Counts>
  addCounts(counts: Counts, id: string, keyId?: string): Promise<void>
  dropCounts(id: string, keyId?: string): Promise<void>

  /** Runs work that fills the empty store. If it fails, the store is empty or cannot be opened. */
  filling(work: () => Promise<void>): Promise<void>
}
