import type { Directory } from './directory.ts'
import type { Records } from './records.ts'
import type { Counters } from './store.ts'

/** A store shared by all processes. Every implementation passes the same suite of tests. */
export interface MeterStore {
  readonly counters: Counters
  readonly directory: Directory
  /** The basis of the directory, for copies and for the usage of each key. */
  readonly records: Records

  /**
   * Copies the whole store into a new file while it is in use.
   *
   * @throws {Error} the file already exists, or the store's server has its own backups
   */
  backup(file: string): Promise<void>

  close(): Promise<void>
}
