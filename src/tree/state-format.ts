import type { DatabaseSync } from 'node:sqlite'
import type { StoredFormat } from '#kit/stored-format.ts'

/** The tables of the state. A migration is undone if the work that opened it is refused. */
export const stateFormat: StoredFormat<(db: DatabaseSync) => void> = {
  firstVersion: 3,
  migrations: [],
  adviceForOld: 'Build into an empty folder, or move the file away and run "build --new-tree"',
}
