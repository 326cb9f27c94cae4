import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { shortDigest } from '#kit/digest.ts'
import { cachePath } from '#release/paths.ts'

/** The version of the tables and of what is packed in them, increased with each change. */
const schemaVersion = 9
const schema = `
  CREATE TABLE groups (key TEXT PRIMARY KEY, packed BLOB NOT NULL, digest TEXT NOT NULL);
  PRAGMA user_version = ${schemaVersion};
`

/**
 * A cache of indexed groups of clips and of the segments built from them, keyed by digests of the
 * clips and of the lexicon of their language: `.build/cache.sqlite`. It may be deleted at any time,
 * because it only makes builds shorter. The process that holds the tree has it open.
 */
export class ClipCache {
  readonly #db: DatabaseSync
  readonly #get: StatementSync
  readonly #add: StatementSync
  /** The keys that were used since the cache was opened. */
  readonly #used = new Set<string>()

  /** Opens the cache of a tree, or an empty one if it cannot be read. */
  constructor(outFolder: string) {
    const path = join(outFolder, cachePath)
    try {
      this.#db = openCache(path)
    } catch {
      for (const suffix of ['', '-journal']) rmSync(path + suffix, { force: true })
      this.#db = openCache(path)
    }
    this.#get = this.#db.prepare('SELECT packed AS packedGroup, digest FROM groups WHERE key = ?')
    this.#add = this.#db.prepare('INSERT OR REPLACE INTO groups VALUES (?, ?, ?)')
  }

  /** Returns the data under a key; null if there is none, or it is damaged. */
  get(key: string): Uint8Array | null {
    this.#used.add(key)
    const row = this.#get.get(key) as { packedGroup: Uint8Array; digest: string } | undefined
    return row && shortDigest(row.packedGroup) === row.digest ? row.packedGroup : null
  }

  add(key: string, group: Uint8Array): void {
    this.#used.add(key)
    this.#add.run(key, group, shortDigest(group))
  }

  /** Keeps data that was added or used, and deletes the rest. */
  commit(): void {
    const forget = this.#db.prepare('DELETE FROM groups WHERE key = ?')
    const entries = this.#db.prepare('SELECT key FROM groups').all() as { key: string }[]
    for (const { key } of entries) if (!this.#used.has(key)) forget.run(key)
    this.#db.exec('COMMIT; BEGIN EXCLUSIVE')
  }

  /** Discards uncommitted data. */
  close(): void {
    this.#db.close()
  }
}

function openCache(path: string): DatabaseSync {
  const db = new DatabaseSync(path)
  db.exec('PRAGMA synchronous = OFF; BEGIN EXCLUSIVE')
  const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  if (user_version === 0) db.exec(schema)
  else if (user_version !== schemaVersion)
    throw new SyntaxError(`it has version ${user_version}, but this program reads version ${schemaVersion}`)
  return db
}
