import { open } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { explainSystemError } from '#kit/explain-system-error.ts'
import { Directory } from '../directory.ts'
import type { MeterOptions, MeterStore } from '../meter-store.ts'
import { PlanTable } from '../plan-table.ts'
import type { Records } from '../records.ts'
import { StoreUnavailable } from '../store.ts'
import { SqliteConnection } from './connection.ts'
import { SqliteCounters } from './counters.ts'
import { isFault, openSqliteFile, type Durability } from './file.ts'
import { SqliteRecords } from './records.ts'

export interface SqliteOptions extends MeterOptions {
  /**
   * How long a call waits for other processes before it gives up, in milliseconds; 5000 by default.
   */
  busyTimeoutMs?: number
  /** What a committed count survives; a crash of the `process` by default. */
  durability?: Durability
}

/** The store on one machine: a SQLite file that all processes share. */
export class SqliteStore implements MeterStore {
  readonly counters: SqliteCounters
  readonly directory: Directory
  readonly records: Records
  readonly #connection: SqliteConnection

  private constructor(connection: SqliteConnection, options: SqliteOptions) {
    this.#connection = connection
    const plans = new PlanTable(options.plans)
    this.counters = new SqliteCounters(connection, plans, options)
    this.records = new SqliteRecords(connection, options, () => this.counters.forget())
    this.directory = new Directory(this.records, plans)
  }

  /**
   * Opens the store in a file, making it if there is none: folders with mode 0700, the file with
   * 0600.
   *
   * @throws {Error} the file is something else, of another version, or has an account on a plan
   * that the plans lack
   * @throws {StoreUnavailable} the file cannot be opened
   */
  static async open(file: string, options: SqliteOptions): Promise<SqliteStore> {
    const { busyTimeoutMs: patienceMs = 5000, durability = 'process', exclusive = false } = options
    let connection: SqliteConnection | undefined
    try {
      const opening = { patienceMs, durability, exclusive }
      connection = new SqliteConnection(file, await openSqliteFile(file, opening), opening)
      const store = new SqliteStore(connection, options)
      if (options.unknownPlans !== 'allow') await store.directory.usePlans(options.plans)
      return store
    } catch (error) {
      connection?.close()
      const Refusal = isFault(error) || error instanceof StoreUnavailable ? StoreUnavailable : Error
      const { errcode = 0 } = error as { errcode?: number }
      const fault = remedies[errcode] ?? explainSystemError(error as Error)
      throw new Refusal(`cannot open the store "${file}": ${fault}`, { cause: error })
    }
  }

  /** Uses SQLite's online backup (https://sqlite.org/backup.html). @throws {StoreUnavailable} */
  async backup(target: string): Promise<void> {
    // A connection of its own: the backup holds a read transaction across turns of the event loop.
    using source = new DatabaseSync(this.#connection.file, { readOnly: true })
    try {
      // Made first, for its mode: the copy holds all that the store does.
      await (await open(target, 'wx', 0o600)).close()
      await backup(source, target)
    } catch (error) {
      const { message } = error as Error
      throw new StoreUnavailable(`cannot back the store up to "${target}": ${message}`, { cause: error })
    }
  }

  async close(): Promise<void> {
    this.counters.close()
    this.#connection.close()
  }
}

/** SQLite's result codes (https://sqlite.org/rescode.html) that a user can do something about. */
const remedies: Record<number, string> = {
  14: 'it is a folder, or this user cannot read and write it and its folder; check the path, owner and mode',
  26: 'it is not a SQLite database; check the path',
}
