import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { cachePath } from '#release/paths.ts'

/** Raised when the tables, or what is packed in them, change. */
const schemaVersion = 4
const schema = `
  CREATE TABLE groups (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, packed BLOB NOT NULL);
  PRAGMA user_version = ${schemaVersion};
`

/**
 * What groups of clips gave when they were indexed, by digests of the clips and of the lexicon of
 * their language: `.build/cache.sqlite`. It may be deleted at any time, and only makes a night
 * shorter. Whoever holds the tree has it open.
 */
export class ClipCache {
  readonly #db: DatabaseSync
  readonly #get: StatementSync
  readonly #add: StatementSync
  /** By id, whether it was used since the cache was opened; new ones are behind the last. */
  readonly #isUsed: Uint8Array

  /** Opens the cache of a tree; an empty one if it cannot be read. */
  static open(outFolder: string): ClipCache {
    const path = join(outFolder, cachePath)
    try {
      return new ClipCache(path)
    } catch {
      for (const suffix of ['', '-journal']) rmSync(path + suffix, { force: true })
      return new ClipCache(path)
    }
  }

  private constructor(path: string) {
    this.#db = new DatabaseSync(path)
    try {
      this.#db.exec('PRAGMA synchronous = OFF; BEGIN EXCLUSIVE')
      const { user_version } = this.#db.prepare('PRAGMA user_version').get() as { user_version: number }
      if (user_version === 0) this.#db.exec(schema)
      else if (user_version !== schemaVersion) throw new SyntaxError(`it has version ${user_version}`)
      const { last } = this.#db.prepare('SELECT IFNULL(MAX(id), 0) AS last FROM groups').get() as {
        last: number
      }
      this.#isUsed = new Uint8Array(last + 1)
      this.#get = this.#db.prepare('SELECT id, packed FROM groups WHERE key = ?')
      this.#add = this.#db.prepare('INSERT OR REPLACE INTO groups (key, packed) VALUES (?, ?)')
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  get(key: string): Uint8Array | null {
    const row = this.#get.get(key) as { id: number; packed: Uint8Array } | undefined
    if (!row) return null
    if (row.id < this.#isUsed.length) this.#isUsed[row.id] = 1
    return row.packed
  }

  add(key: string, packed: Uint8Array): void {
    this.#add.run(key, packed)
  }

  /** Keeps what was added and used, and forgets the rest. */
  commit(): void {
    const forget = this.#db.prepare('DELETE FROM groups WHERE id = ?')
    for (let id = 1; id < this.#isUsed.length; id++) if (this.#isUsed[id] === 0) forget.run(id)
    this.#db.exec('COMMIT; BEGIN EXCLUSIVE')
  }

  /** Discards what was not committed. */
  close(): void {
    this.#db.close()
  }
}
