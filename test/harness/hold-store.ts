import { DatabaseSync } from 'node:sqlite'

/** Holds the file of a SQLite store, as a writing process does. Returns a function that lets go. */
export function holdStore(file: string): () => void {
  const holder = new DatabaseSync(file)
  holder.exec('BEGIN IMMEDIATE')
  return () => holder.close()
}
