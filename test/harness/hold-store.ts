import { DatabaseSync } from 'node:sqlite'

/**
 * Locks the file of a SQLite store, like a process that is writing. Returns a function that
 * releases it.
 */
export function holdStore(file: string): () => void {
  const holder = new DatabaseSync(file)
  holder.exec('BEGIN IMMEDIATE')
  return () => holder.close()
}
