import type { Plan } from '#contract/plans.ts'

/** The lists of a store, each in the order of creation: account ids and logged changes. */
export type ListName = 'accounts' | 'changes'

/** The counts of an account, or of one of its keys. */
export interface Counts {
  /**
   * The start of the account's last period with a count, or of the day (UTC) on which the key was
   * last used; null: never.
   */
  latestMs: number | null
  /** Oldest first. */
  periods: {
    startMs: number
    /** Never 0 in the counts of a key. */
    requests: number
    /** The plan that was last in force in the period; null in the counts of a key. */
    plan: Plan | null
  }[]
}

export interface SwapOptions {
  /** The time after which the text may be deleted. */
  lifeMs?: number
  /** Stores the plan that is in force in a period of an account, in the same step. */
  note?: { id: string; startMs: number; plan: Plan } | undefined
}

/**
 * The basis of the directory: texts by name, which change one at a time, lists, and counts. Both
 * stores implement it; the rules for accounts and keys are above it, in `Directory`.
 *
 * Every method throws {@link StoreUnavailable} if the store cannot be reached in time.
 */
export interface Records {
  /** The store's own time, in milliseconds since the Unix epoch. */
  now(): Promise<number>

  get(name: string): Promise<string | null>
  /**
   * Replaces a text in one step if it is still `from`; null means no text. Returns whether it was.
   */
  swap(name: string, from: string | null, to: string | null, options?: SwapOptions): Promise<boolean>

  /** @param keep drops the oldest lines beyond this many */
  append(list: ListName, line: string, keep?: number): Promise<void>
  drop(list: ListName, line: string): Promise<void>
  /** Yields the lines of a list in batches. */
  lines(list: ListName): AsyncGenerator<string[]>

  /** Returns the counts of an account, or of one of its keys. */
  counts(id: string, keyId?: string): Promise<Counts>
  addCounts(counts: Counts, id: string, keyId?: string): Promise<void>
  dropCounts(id: string, keyId?: string): Promise<void>

  /** Runs work that fills the empty store. If it fails, the store is empty or cannot be opened. */
  filling(work: () => Promise<void>): Promise<void>
}
