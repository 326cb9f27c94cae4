import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../store.ts'
import {
  asUnavailable,
  readStoreId,
  reopenSqliteFile,
  retryWhileBusy,
  transact,
  type Begin,
  type OpenOptions,
} from './file.ts'
import { FileIdentity } from './file-identity.ts'

/** How long to wait before another file is tried again. */
const retryMs = 250

/**
 * The one connection of a process to the store's file, which its counters and its directory share.
 *
 * A transaction runs within one turn of the event loop and never waits inside SQLite: while another
 * process holds the file, the loop goes on and the transaction is tried again.
 *
 * Invariant: at most 50 ms after another file takes the place of the open one, or none does, no
 * transaction runs any more. Nobody would see the counts in a deleted file, and a key could spend
 * its quota twice. When the same store comes back to the path (a restored backup, or the file
 * itself), the connection opens it.
 */
export class SqliteConnection {
  readonly file: string
  readonly patienceMs: number
  readonly #options: OpenOptions
  #db: DatabaseSync
  #identity: FileIdentity
  readonly #storeId: string | undefined
  #isClosed = false
  /** Whether a transaction of more than one turn is under way. */
  #isLong = false
  /** Why the file that now lies at the path is not used, and when it was tried. */
  #refusal = { message: '', atMs: -Infinity }
  #isTakingUp = false

  constructor(file: string, db: DatabaseSync, options: OpenOptions) {
    this.file = file
    this.patienceMs = options.patienceMs
    this.#options = options
    this.#db = db
    this.#identity = new FileIdentity(file, db)
    this.#storeId = readStoreId(db)
  }

  /**
   * Runs the work in one transaction, now.
   *
   * @throws {StoreUnavailable} the file at the path is not the one that was opened
   * @throws {Error} SQLite's own, also when another process holds the file
   */
  transact<T>(begin: Begin, work: (db: DatabaseSync) => T): T {
    if (!this.#isClosed && !this.#identity.isAtPath()) this.#refuse()
    return this.#isLong ? work(this.#db) : transact(this.#db, begin, work)
  }

  /**
   * Runs the work in one transaction, waiting while another process holds the file.
   *
   * @throws {StoreUnavailable} SQLite failed, or the file at the path is not the one that was opened
   */
  async run<T>(begin: Begin, work: (db: DatabaseSync) => T): Promise<T> {
    try {
      return await retryWhileBusy(this.patienceMs, () => this.transact(begin, work))
    } catch (error) {
      throw asUnavailable(error, 'use the store')
    }
  }

  /**
   * Runs work that takes more than one turn, and calls `run`, in one transaction. For a file that
   * is held exclusively.
   */
  async transactLong(work: () => Promise<void>): Promise<void> {
    this.#db.exec('BEGIN IMMEDIATE')
    this.#isLong = true
    try {
      await work()
      this.#db.exec('COMMIT')
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw error
    } finally {
      this.#isLong = false
    }
  }

  close(): void {
    this.#isClosed = true
    if (this.#db.isOpen) this.#db.close()
  }

  /** @throws {StoreUnavailable} always: says what became of the file */
  #refuse(): never {
    const isThere = existsSync(this.file)
    if (isThere && !this.#isTakingUp && performance.now() - this.#refusal.atMs > retryMs) void this.#takeUp()
    const fate = isThere ? 'replaced' : 'deleted or moved away'
    const reason = isThere ? this.#refusal.message : ''
    throw new StoreUnavailable(`the store's file "${this.file}" was ${fate} while in use${reason}`)
  }

  /** Opens the file that now lies at the path, if it is the same store. */
  async #takeUp(): Promise<void> {
    this.#isTakingUp = true
    try {
      this.#identity.release()
      const db = await reopenSqliteFile(this.file, this.#storeId, this.#options)
      if (this.#isClosed) return db.close()
      this.#db.close()
      this.#db = db
      this.#identity = new FileIdentity(this.file, db)
      this.#refusal = { message: '', atMs: -Infinity }
    } catch (error) {
      this.#refusal = { message: `: ${(error as Error).message}`, atMs: performance.now() }
    } finally {
      this.#isTakingUp = false
    }
  }
}
