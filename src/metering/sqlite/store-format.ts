import type { DatabaseSync } from 'node:sqlite'
import type { StoredFormat } from '#kit/stored-format.ts'

/**
 * The tables of the store's file, as `schema.sql` creates them.
 *
 * Processes of the previous version may have the file open while it is migrated. A migration must
 * leave what they read and write.
 */
export const sqliteFormat: StoredFormat<(db: DatabaseSync) => void> = {
  firstVersion: 3,
  migrations: [],
  adviceForOld: 'Move the file away and create new keys',
}
