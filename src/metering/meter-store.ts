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
   * Copies the whole store into a new file while it is in use.
   *
   * @throws {Error} the file is there already, or the server of the store has other means
   */
  backup(file: string): Promise<void>

  close(): Promise<void>
}
