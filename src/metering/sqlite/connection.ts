import { existsSync, rmSync, statSync, type Stats } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable, type StoreOptions } from '../store.ts'
import {
  asUnavailable,
  defaultPatienceMs,
  openSqliteFile,
  readStoreId,
  retryWhileBusy,
  transact,
  type Begin,
} from './file.ts'

/** How often the path is checked, in milliseconds. A check takes about 4 µs. */
const checkMs = 50

/** How long to wait before another file is tried again. */
const retryMs = 250

/**
 * The only connection of a process to the store's file, which its counters and its directory share.
 *
 * A transaction runs within one turn of the event loop and never waits inside SQLite: while another
 * process holds the file, the loop continues and the transaction is retried.
 *
 * Invariant: at most 50 ms after the open file was replaced or removed, no transaction runs any
 * more. SQLite never checks the path again, so nobody would see the counts in a deleted file, and a
 * key could use its quota twice. When the same store comes back to the path (a restored backup, or
 * the file itself), the connection opens it.
 */
export class SqliteConnection {
  readonly patienceMs: number
  readonly #file: string
  readonly #options: StoreOptions
  readonly #storeId: string | undefined
  #db: DatabaseSync
  /** The open files; null once they were closed. */
  #opened: ReturnType<typeof filesAt> | null
  #checkedMs = performance.now()
  #isClosed = false
  /** Whether a transaction of more than one turn is in progress. */
  #isLong = false
  /** The reason why the file at the path is not used, and when it may be tried again. */
  #refusal = ''
  #retryAtMs = 0

  constructor(file: string, db: DatabaseSync, options: StoreOptions) {
    this.patienceMs = options.patienceMs ?? defaultPatienceMs
    this.#file = file
    this.#options = options
    this.#storeId = readStoreId(db)
    this.#db = db
    this.#opened = filesAt(file)
  }

  /**
   * Runs the work in one transaction, now.
   *
   * @throws {StoreUnavailable} the file at the path is not the one that was opened
   * @throws {Error} SQLite's own error, including when another process holds the file
   */
  transact<T>(begin: Begin, work: (db: DatabaseSync) => T): T {
    if (!this.#isClosed && !this.#isAtPath()) this.#refuse()
    return this.#isLong ? work(this.#db) : transact(this.#db, begin, work)
  }

  /**
   * Runs the work in one transaction, waiting while another process holds the file.
   *
   * @throws {StoreUnavailable} SQLite failed, or the path now names another file
   */
  async run<T>(begin: Begin, work: (db: DatabaseSync) => T): Promise<T> {
    try {
      return await retryWhileBusy(this.patienceMs, () => this.transact(begin, work))
    } catch (error) {
      throw asUnavailable(error, 'use the store')
    }
  }

  /**
   * Runs work that takes more than one turn, and calls `run`, in one transaction. Only for a file
   * that is held exclusively. If it fails, the connection must be closed, which undoes it.
   */
  async transactLong(work: () => Promise<void>): Promise<void> {
    this.#db.exec('BEGIN IMMEDIATE')
    this.#isLong = true
    await work()
    this.#db.exec('COMMIT')
    this.#isLong = false
  }

  close(): void {
    this.#isClosed = true
    if (this.#db.isOpen) this.#db.close()
  }

  /**
   * Whether the file and the write-ahead log at the path are the open ones. A change is detected
   * within `checkMs`, and then at every call.
   */
  #isAtPath(): boolean {
    if (!this.#opened) return false
    const nowMs = performance.now()
    if (nowMs - this.#checkedMs < checkMs) return true
    const { database, log } = filesAt(this.#file)
    if (!isSame(database, this.#opened.database) || !isSame(log, this.#opened.log)) return false
    this.#checkedMs = nowMs
    return true
  }

  /** @throws {StoreUnavailable} always, with what happened to the file */
  #refuse(): never {
    const isThere = existsSync(this.#file)
    if (isThere && performance.now() > this.#retryAtMs) void this.#takeUp()
    const fate = isThere ? `replaced while in use${this.#refusal}` : 'deleted or moved away while in use'
    throw new StoreUnavailable(`the store's file "${this.#file}" was ${fate}`)
  }

  /** Opens the file that is now at the path, if it is the same store. */
  async #takeUp(): Promise<void> {
    this.#retryAtMs = Infinity
    try {
      this.#leave()
      const db = await openSqliteFile(this.#file, this.#options, this.#storeId)
      if (this.#isClosed) return db.close()
      this.#db = db
      this.#opened = filesAt(this.#file)
      this.#refusal = ''
      this.#retryAtMs = 0
    } catch (error) {
      this.#refusal = `: ${(error as Error).message}`
      this.#retryAtMs = performance.now() + retryMs
    }
  }

  /**
   * Closes the file before another is opened at its path. Its log is written into it first, because
   * the file may be moved back. Then the log is deleted if it is still at the path, because SQLite
   * would take it for the log of the new file.
   *
   * It is closed even if only its log was deleted, because SQLite would otherwise share its deleted
   * -shm file with the new connection, which other processes do not have.
   *
   * @throws {Error} the log cannot be written into the file now
   */
  #leave(): void {
    if (!this.#opened) return
    const { database, log } = filesAt(this.#file)
    const isLogOurs = isSame(log, this.#opened.log)
    const isLogGone = log === undefined && isSame(database, this.#opened.database)
    if (isLogOurs || isLogGone) {
      const { busy } = this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
      if (busy !== 0)
        throw new Error(
          'another process still has the -wal file of the previous store open. Stop that process',
        )
    }
    // This is checked again, because another process of the service may just have opened the new
    // file.
    if (isLogOurs && isSame(filesAt(this.#file).log, this.#opened.log))
      for (const part of ['-wal', '-shm']) rmSync(this.#file + part, { force: true })
    this.#db.close()
    this.#opened = null
  }
}

/** Identifies a database and its write-ahead log. An inode is not reused while its file is open. */
function filesAt(path: string) {
  const statsAt = (file: string) => statSync(file, { throwIfNoEntry: false })
  return { database: statsAt(path), log: statsAt(`${path}-wal`) }
}

function isSame(a: Stats | undefined, b: Stats | undefined): boolean {
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev
}
