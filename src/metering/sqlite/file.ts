import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '#kit/make-folder.ts'
import { currentVersion, migrationsFrom } from '#kit/stored-format.ts'
import { StoreUnavailable, type StoreOptions } from '../store.ts'
import { sqliteFormat } from './store-format.ts'

/** The start of a transaction: `BEGIN IMMEDIATE` takes the write lock first. */
export type Begin = 'BEGIN' | 'BEGIN IMMEDIATE'

/** Marks a store: "CLKM" in ASCII (https://sqlite.org/pragma.html#pragma_application_id). */
const applicationId = 0x434c4b4d

/** See `patienceMs` of the options. */
export const defaultPatienceMs = 5000

/**
 * Opens the store's file, and creates it if there is none: folders with mode 0700, the file with
 * 0600. It is in WAL mode, so that readers and the one writer do not wait for each other.
 *
 * The connection never waits inside SQLite, which would block the event loop: a statement that
 * encounters another process's lock fails at once. Opening is retried for as long as a call may
 * wait.
 *
 * @param storeId given for a file that takes the place of one that was open: it must be the same
 * store (a backup of it, or itself, moved back), and is never made
 * @throws {Error} the file is something else, or has another version
 */
export async function openSqliteFile(
  file: string,
  { patienceMs = defaultPatienceMs, durability = 'process', exclusive = false }: StoreOptions,
  storeId?: string,
): Promise<DatabaseSync> {
  const url = pathToFileURL(file)
  url.search = storeId === undefined ? '' : '?mode=rw'
  makeFolder(dirname(file), 0o700)
  const isNew = !existsSync(file)
  const db = new DatabaseSync(url)
  try {
    // By path, because closing our own descriptor would drop SQLite's locks on the file.
    if (isNew) chmodSync(file, 0o600)
    // Every connection to a WAL file holds a shared lock on it, which ends with its process.
    if (exclusive) db.exec('PRAGMA locking_mode = EXCLUSIVE')
    await retryWhileBusy(patienceMs, () => {
      if (storeId !== undefined) checkStoreId(db, storeId)
      makeReady(db, durability)
    })
    return db
  } catch (error) {
    db.close()
    throw exclusive && isBusy(error) ? new Error('another process is using it', { cause: error }) : error
  }
}

function checkStoreId(db: DatabaseSync, storeId: string): void {
  if (isEmpty(db)) throw new Error('it is empty')
  if (readStoreId(db) !== storeId) throw new Error('it is a different store. Restart the service to use it')
}

/** Returns the id that a store got when it was created; a backup has the same id. */
export function readStoreId(db: DatabaseSync): string | undefined {
  return db.prepare(`SELECT value FROM meta WHERE name = 'store_id'`).get()?.value as string | undefined
}

/**
 * Checks that the database is a store. Creates the schema if it is empty, and migrates an older
 * one. Safe for many processes at once.
 */
function makeReady(db: DatabaseSync, durability: 'process' | 'power'): void {
  // Pages are small, because a commit writes whole pages. This has no effect on a file with pages.
  if (isEmpty(db)) db.exec('PRAGMA page_size = 1024')
  db.exec('PRAGMA journal_mode = WAL')
  // https://sqlite.org/pragma.html#pragma_synchronous: in WAL mode, NORMAL may lose the last
  // commits if the power fails, but not if the process fails.
  db.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`)
  // Fewer, larger checkpoints: each syncs the disk.
  db.exec('PRAGMA wal_autocheckpoint = 8192')
  transact(db, 'BEGIN IMMEDIATE', () => {
    if (isEmpty(db)) {
      db.exec(readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8'))
      db.exec(`INSERT INTO meta VALUES ('schema_version', ${currentVersion(sqliteFormat)})`)
      db.exec(`PRAGMA application_id = ${applicationId}`)
      return
    }
    const row = db.prepare(`SELECT value FROM meta WHERE name = 'schema_version'`).get()
    const migrations = migrationsFrom(sqliteFormat, row?.value, 'it')
    for (const migrate of migrations) migrate(db)
    if (migrations.length > 0)
      db.prepare(`UPDATE meta SET value = ? WHERE name = 'schema_version'`).run(currentVersion(sqliteFormat))
  })
}

/** @throws {Error} it is neither empty nor a store */
function isEmpty(db: DatabaseSync): boolean {
  const { id, tables } = db
    .prepare(
      'SELECT application_id AS id, (SELECT count(*) FROM sqlite_schema) AS tables FROM pragma_application_id',
    )
    .get() as { id: number; tables: number }
  if (id === applicationId) return false
  if (id === 0 && tables === 0) return true
  throw new Error('it is a SQLite database, but not a clip-lookup store')
}

/** Runs the work in one transaction: all of it, or nothing if it throws. */
export function transact<T>(db: DatabaseSync, begin: Begin, work: (db: DatabaseSync) => T): T {
  db.exec(begin)
  try {
    const result = work(db)
    db.exec('COMMIT')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Runs the work, at first synchronously, and repeats it while another process has the lock. */
export async function retryWhileBusy<T>(patienceMs: number, work: () => T): Promise<T> {
  const startMs = performance.now()
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() - startMs >= patienceMs) throw error
    }
    await sleep(1)
  }
}

/** Whether another process has the lock (https://sqlite.org/rescode.html#busy). */
function isBusy(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number }
  return (errcode & 0xff) === 5
}

/** Whether SQLite or the file system failed, or the store is closed, and not our own code. */
export function isFault(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return code === 'ERR_SQLITE_ERROR' || code === 'ERR_INVALID_STATE' || syscall !== undefined
}

/** Returns a fault of SQLite as the store reports it, and any other error unchanged. */
export function asUnavailable(error: unknown, action: string): unknown {
  return isFault(error)
    ? new StoreUnavailable(`cannot ${action}: ${(error as Error).message}`, { cause: error })
    : error
}
