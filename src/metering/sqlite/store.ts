import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { explainSystemError } from '#kit/explain-system-error.ts'
import { Directory } from '../directory.ts'
import type { MeterStore } from '../meter-store.ts'
import { StoreUnavailable, type StoreOptions } from '../store.ts'
import { SqliteConnection } from './connection.ts'
import { SqliteCounters } from './counters.ts'
import { isFault, openSqliteFile } from './file.ts'
import { SqliteRecords } from './records.ts'

/**
 * Opens the store on one machine: a SQLite file that all processes share. It is created if there is
 * none: folders with mode 0700, the file with 0600.
 *
 * @throws {Error} the file is something else, or has another version
 * @throws {StoreUnavailable} the file cannot be opened
 */
export async function openSqliteStore(file: string, options: StoreOptions): Promise<MeterStore> {
  const db = await openSqliteFile(file, options).catch((error: Error) => {
    const { errcode = 0 } = error as { errcode?: number }
    if (!isFault(error)) throw error
    const remedy = remedies[errcode & 0xff]
    const fault = new StoreUnavailable(remedy ?? explainSystemError(error))
    throw Object.assign(fault, { hasAdvice: remedy !== undefined })
  })
  const plans = new Map(options.plans.map((plan) => [plan.name, plan]))
  const connection = new SqliteConnection(file, db, options)
  const counters = new SqliteCounters(connection, plans, options)
  const records = new SqliteRecords(connection, options.clock, () => counters.rows.forget())
  return {
    counters,
    directory: new Directory(records, plans),
    records,
    backup: (target) => backUp(file, target),
    async close() {
      counters.close()
      connection.close()
    },
  }
}

/** Remedies for result codes of SQLite (https://sqlite.org/rescode.html) that a user can act on. */
const remedies: Record<number, string> = {
  8: 'this user lacks the permission to write the file, the files -wal and -shm beside it, or its folder. Check the owners and the modes',
  10: 'reading or writing failed. Check whether the disk is full or faulty',
  13: 'the disk is full. Free up space',
  14: 'it is a folder, or this user lacks the permission to read and write the file and its folder. Check the path, the owner and the mode',
  26: 'it is not a SQLite database. Check the path',
}

/**
 * Uses SQLite's online backup (https://sqlite.org/backup.html).
 *
 * @throws {Error} the file already exists
 * @throws {StoreUnavailable}
 */
async function backUp(file: string, target: string): Promise<void> {
  if (existsSync(target)) throw new Error(`cannot back up to "${target}": the file already exists`)
  try {
    // A separate connection is used, because the backup holds a read transaction across turns of
    // the event loop.
    using source = new DatabaseSync(file, { readOnly: true })
    // Created first, to set its mode, because the copy contains everything in the store.
    await (await open(target, 'wx', 0o600)).close()
    await backup(source, target)
  } catch (error) {
    const reason = explainSystemError(error as Error)
    throw new StoreUnavailable(`cannot back up the store to "${target}": ${reason}`, { cause: error })
  }
}
