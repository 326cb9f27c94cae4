import type { DatabaseSync } from 'node:sqlite'
import type { StoredFormat } from '#kit/stored-format.ts'

/**
 * The tables of the state. A migration runs in the transaction of the work that opened the state,
 * so refused work changes nothing.
 */
export const stateFormat: StoredFormat<(db: DatabaseSync) => void> = {
  firstVersion: 3,
  migrations: [],
  adviceForOld: 'Build into an empty folder, or move the file away and run "build --new-tree"',
}
