import type { Plan } from '#contract/plans.ts'
import type { Directory } from './directory.ts'
import type { Records } from './records.ts'
import type { Counters } from './store.ts'

/** A store shared by all processes. Every implementation passes the same suite of tests. */
export interface MeterStore {
  readonly counters: Counters
  readonly directory: Directory
  /** What the directory is made of, for a copy and for what each key has spent. */
  readonly records: Records

  /**
   * Copies the whole store into a new file while it is in use. Absent if the server of the store
   * has its own backups.
   */
  backup?(file: string): Promise<void>

  close(): Promise<void>
}

/** What a store is opened with. Each uses its own. */
export interface StoreOptions {
  plans: readonly Plan[]
  clock: { now(): number }
  /**
   * What to do about accounts on a plan that `plans` lacks: `refuse` to open (the default), or
   * `allow` them, for the commands that repair this. Either way they are not metered.
   */
  unknownPlans?: 'refuse' | 'allow'
  /** Refuse to open a store that another process uses, and keep others out if the store can. */
  exclusive?: boolean
  /** Gets a warning when the clock steps, and when the store has to be waited for. */
  log?: { warn(message: string): void } | undefined

  /**
   * How long a call waits for other processes that hold a file before it gives up, in milliseconds;
   * 5000 by default.
   */
  busyTimeoutMs?: number
  /** What a count in a file survives: a crash of the process, or a loss of power too. */
  durability?: 'process' | 'power'

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
  /**
   * Whose time counts in a Redis: that of the `server`, which all machines share (the default), or
   * that of `clock`, for tests.
   */
  time?: 'server' | 'clock'
}
