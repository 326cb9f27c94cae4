import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

/** Which crash a committed count survives: that of a process, or a loss of power too. */
export type Durability = 'process' | 'power'

/** SQLite's own mark of whose file this is (https://sqlite.org/pragma.html#pragma_application_id): "CLKM" in ASCII. */
const applicationId = 0x434c4b4d

/** Raised whenever `schema` changes. */
const schemaVersion = 1

/**
 * `key_windows` and `address_windows` keep one row a subject: the last window it had. `periods` keeps every period, for
 * billing. `config_version` moves with every change of accounts and keys, so that a process knows when what it remembers
 * of them is stale. Rows are met by small integers: half the work of texts where a batch has many keys.
 */
const schema = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE accounts (id INTEGER PRIMARY KEY, account TEXT NOT NULL UNIQUE, plan TEXT NOT NULL, created_at_ms INTEGER NOT NULL) STRICT;
  CREATE TABLE keys (
    id INTEGER PRIMARY KEY,
    key_id TEXT NOT NULL UNIQUE,
    digest BLOB NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES accounts,
    prefix TEXT NOT NULL,
    last4 TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER
  ) STRICT;
  CREATE TABLE key_windows (key_id INTEGER PRIMARY KEY REFERENCES keys, minute INTEGER NOT NULL, count INTEGER NOT NULL) STRICT;
  CREATE TABLE address_windows (address TEXT PRIMARY KEY, minute INTEGER NOT NULL, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE periods (
    id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts,
    start_ms INTEGER NOT NULL,
    requests INTEGER NOT NULL CHECK (requests >= 0),
    UNIQUE (account_id, start_ms)
  ) STRICT;
  INSERT INTO meta VALUES ('schema_version', ${schemaVersion}), ('config_version', 0);
  PRAGMA application_id = ${applicationId};
`

/** Came after files had been made: a program of the same version that does not know it lets it be. */
const laterTables = `
  CREATE TABLE IF NOT EXISTS sign_ups (address TEXT PRIMARY KEY, day INTEGER NOT NULL, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

/**
 * Opens the store's file, and makes it where there is none: folders with mode 0700, the file with 0600. WAL, so that readers
 * and the one writer do not wait for each other.
 *
 * `busyTimeoutMs` is how long opening waits for another process's transaction; after that a statement waits so long, blocking the loop, or with
 * `impatient` not at all.
 *
 * @throws {Error} the file is something else, or of another version
 */
export async function openSqliteFile(
  file: string,
  {
    busyTimeoutMs,
    durability,
    impatient = false,
  }: { busyTimeoutMs: number; durability: Durability; impatient?: boolean },
): Promise<DatabaseSync> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const isNew = !existsSync(file)
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs })
  try {
    // By path: closing a descriptor of our own would drop SQLite's locks on the file.
    if (isNew) chmodSync(file, 0o600)
    await makeReady(db, durability)
    if (impatient) db.exec('PRAGMA busy_timeout = 0')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Checks that the database is ours, and makes it so where it is empty. Safe for many processes at once. */
async function makeReady(db: DatabaseSync, durability: Durability): Promise<void> {
  // Small pages: a commit writes whole pages, and a counter is a few bytes. Has no effect once the file is made.
  if (isEmpty(db)) db.exec('PRAGMA page_size = 1024')
  await useWal(db)
  // https://sqlite.org/pragma.html#pragma_synchronous: in WAL mode NORMAL may lose the last commits with the power, never with the process.
  db.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`)
  // Fewer, larger checkpoints: each syncs the disk.
  db.exec('PRAGMA wal_autocheckpoint = 8192')
  transact(db, 'BEGIN IMMEDIATE', () => {
    if (isEmpty(db)) db.exec(schema)
    db.exec(laterTables)
  })
  const row = db.prepare(`SELECT value FROM meta WHERE name = 'schema_version'`).get() as { value: number }
  if (row.value !== schemaVersion)
    throw new Error(`its schema is version ${row.value}, this program has version ${schemaVersion}`)
}

/** @throws {Error} it is neither empty nor a store of ours */
function isEmpty(db: DatabaseSync): boolean {
  const { id, tables } = db
    .prepare(
      'SELECT application_id AS id, (SELECT count(*) FROM sqlite_schema) AS tables FROM pragma_application_id',
    )
    .get() as { id: number; tables: number }
  if (id === applicationId) return false
  if (id === 0 && tables === 0) return true
  throw new Error('it is another SQLite database, not a store of clip-lookup')
}

/**
 * The change to WAL does not heed the busy timeout: where six processes opened a new file at one instant, 6 of 240 were told
 * SQLITE_BUSY. Hence the patience here, 2 s at most.
 */
async function useWal(db: DatabaseSync): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || attempt === 100) throw error
      await sleep(20)
    }
  }
}

/** Runs the work in one transaction: all of it, or nothing where it throws. */
export function transact<T>(db: DatabaseSync, begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
  db.exec(begin)
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Another process has the lock (https://sqlite.org/rescode.html#busy). */
export function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number }
  return errcode !== undefined && (errcode & 0xff) === 5
}

/** Whether SQLite or the file system failed, or the store is closed: no answer of ours. */
export function isFault(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return code === 'ERR_SQLITE_ERROR' || code === 'ERR_INVALID_STATE' || syscall !== undefined
}
