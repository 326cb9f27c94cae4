import { explainSystemError } from '#kit/explain-system-error.ts'
import { open } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Plan } from '#contract/plans.ts'
import {
  StoreUnavailable,
  type Directory,
  type KeyContent,
  type MeterOptions,
  type MeterStore,
  type StoreEntry,
} from '../store.ts'
import { PlanTable, refuseUnknownPlans } from '../plan-table.ts'
import { SqliteConnection } from './connection.ts'
import { SqliteCounters } from './counters.ts'
import { SqliteDirectory } from './directory.ts'
import { writeEntries } from './entries.ts'
import { isFault, openSqliteFile, type Durability } from './file.ts'

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
  readonly #connection: SqliteConnection
  readonly #plans: PlanTable

  private constructor(connection: SqliteConnection, options: SqliteOptions) {
    this.#connection = connection
    this.#plans = new PlanTable(options.plans)
    this.counters = new SqliteCounters(connection, this.#plans, options)
    this.directory = new SqliteDirectory(connection, this.#plans, options, () => this.counters.forget())
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
      if (options.unknownPlans !== 'allow') await refuseUnknownPlans(store.directory, options.plans)
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

  async usePlans(plans: readonly Plan[]): Promise<void> {
    await refuseUnknownPlans(this.directory, plans)
    this.#plans.use(plans)
  }

  async keyContents(): Promise<Map<string, KeyContent>> {
    return await this.#connection.run('read the keys', 'BEGIN', (db) => {
      const rows = db
        .prepare(
          `SELECT k.key_id AS keyId, lower(hex(digest)) AS digest, json_group_array(
            json_array(start_ms, requests) ORDER BY start_ms) FILTER (WHERE requests > 0) AS units
          FROM keys k LEFT JOIN (
            SELECT key_id, start_ms, sum(requests) AS requests
            FROM (SELECT key_id, start_ms, requests FROM key_counts UNION ALL SELECT * FROM key_periods)
            GROUP BY key_id, start_ms
          ) p ON p.key_id = k.id GROUP BY k.id`,
        )
        .all() as { keyId: string; digest: string; units: string }[]
      return new Map(rows.map(({ keyId, digest, units }) => [keyId, { digest, units: JSON.parse(units) }]))
    })
  }

  async fill(entries: AsyncIterable<StoreEntry>): Promise<void> {
    await this.#connection.transactLong((db) => writeEntries(db, entries))
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
