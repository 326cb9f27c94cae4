import type { DatabaseSync } from 'node:sqlite'
import {
  asUnavailable,
  openSqliteFile,
  retryWhileBusy,
  transact,
  type Begin,
  type Durability,
} from './file.ts'

export interface ConnectionOptions {
  /** How long a call waits for other processes before it gives up, in milliseconds. */
  patienceMs: number
  /** What a committed count survives. */
  durability: Durability
}

/**
 * The one connection of a process to the store's file, which its counters and its directory share.
 *
 * A transaction runs within one turn of the event loop and never waits inside SQLite: while another
 * process holds the file, the loop goes on and the transaction is tried again.
 */
export class SqliteConnection {
  readonly file: string
  readonly patienceMs: number
  readonly #db: DatabaseSync

  private constructor(file: string, db: DatabaseSync, { patienceMs }: ConnectionOptions) {
    this.file = file
    this.patienceMs = patienceMs
    this.#db = db
  }

  /** @throws {Error} what stands in the way of opening the file */
  static async open(file: string, options: ConnectionOptions): Promise<SqliteConnection> {
    return new SqliteConnection(file, await openSqliteFile(file, options), options)
  }

  /** Runs the work in one transaction, now. @throws {Error} SQLite's own, also when another process holds the file */
  transact<T>(begin: Begin, work: (db: DatabaseSync) => T): T {
    const db = this.#db
    return transact(db, begin, () => work(db))
  }

  /**
   * Runs the work in one transaction, waiting while another process holds the file.
   *
   * @param action for the message: "cannot <action>: …"
   * @throws {StoreUnavailable}
   */
  async run<T>(action: string, begin: Begin, work: (db: DatabaseSync) => T): Promise<T> {
    try {
      return await retryWhileBusy(this.patienceMs, () => this.transact(begin, work))
    } catch (error) {
      throw asUnavailable(error, action)
    }
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close()
  }
}

/** Prepares statements once for each database: they belong to the connection that prepared them. */
export function preparedFor<S>(prepare: (db: DatabaseSync) => S): (db: DatabaseSync) => S {
  const prepared = new WeakMap<DatabaseSync, S>()
  return (db) => {
    const statements = prepared.get(db) ?? prepare(db)
    prepared.set(db, statements)
    return statements
  }
}
