/**
 * What the build remembers about a tree: `.build/state.sqlite` (FORMAT.md, "The state").
 *
 * Whoever has it open holds the tree. The connection keeps SQLite's exclusive lock from opening to
 * closing, over every commit. The kernel releases the lock when the process dies, however it dies,
 * and the next one to open the file finds what was committed last.
 */
import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { makeFolder, privateFolderMode } from '#kit/make-folder.ts'
import { currentPath, privateFolder, statePath } from '#release/paths.ts'
import type { LedgerEntry, LedgerHead } from './ledger.ts'
import { Refused, TreeLocked } from './refused.ts'

/** Raised when the tables change. */
const schemaVersion = 2
const schema = `
  CREATE TABLE head (json TEXT NOT NULL);
  INSERT INTO head VALUES ('');
  CREATE TABLE clips (
    id INTEGER PRIMARY KEY,
    clipId TEXT NOT NULL UNIQUE, videoId TEXT NOT NULL, language TEXT NOT NULL, ordinal INTEGER NOT NULL,
    revision INTEGER NOT NULL, firstRelease INTEGER NOT NULL, source TEXT NOT NULL,
    sourceDigest TEXT NOT NULL, recordDigest TEXT NOT NULL, transcriptDigest TEXT NOT NULL,
    traits TEXT NOT NULL, pruned INTEGER NOT NULL, withdrawn INTEGER NOT NULL
  );
  CREATE INDEX clipsByVideo ON clips (videoId);
  CREATE INDEX clipsBySource ON clips (source);
  PRAGMA user_version = ${schemaVersion};
`

/** The columns of a clip, in the order of `LedgerEntry`. */
const columns =
  'clipId, videoId, language, ordinal, revision, firstRelease, source, sourceDigest, recordDigest, transcriptDigest, traits, pruned, withdrawn'

const enterSql = `
  INSERT INTO clips (${columns}) VALUES (${columns.replace(/\w+/g, ':$&')})
    ON CONFLICT (clipId) DO UPDATE SET (${columns}) = (${columns.replace(/\w+/g, 'excluded.$&')})`

/** What is published of a clip: its entry without its traits. */
export type PublishedClip = Omit<LedgerEntry, 'traits'>

const publishedColumns = columns.replace('traits, ', '')

/** What to do where a tree has releases and no ledger. */
export type LostLedger = 'refuse' | 'begin again'

export class State {
  /** Changed in place, written by `commit`. */
  head: LedgerHead = { tree: '', releases: 0, release: null, latest: null, ordinals: {} }
  /** Of the source and the rules that the last release is made of; null if that is not known. */
  fingerprint: string | null = null
  readonly db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  private constructor(db: DatabaseSync) {
    this.db = db
  }

  /**
   * Opens the state of a tree, and creates it if there is none.
   *
   * @throws {TreeLocked} another process, or other work of this one, holds the tree
   * @throws {Refused} the tree has releases, and its ledger is lost
   * @throws {SyntaxError} the file is no state, or one of another version
   */
  static open(outFolder: string, lost: LostLedger = 'refuse'): State {
    makeFolder(outFolder)
    const folder = join(outFolder, privateFolder)
    makeFolder(folder, privateFolderMode)
    // Earlier versions opened it to everybody.
    const { mode } = statSync(folder)
    if (mode & 0o007) chmodSync(folder, mode & 0o770)
    const db = new DatabaseSync(join(outFolder, statePath), { timeout: 0 })
    try {
      db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; BEGIN EXCLUSIVE')
      const state = new State(db)
      state.#prepare()
      if (state.head.tree === '' && lost === 'refuse' && existsSync(join(outFolder, currentPath)))
        throw new Refused(`the ledger of "${outFolder}" is lost: "${statePath}" holds none. ${wayBack}`)
      return state
    } catch (error) {
      db.close()
      throw explained(error, outFolder)
    }
  }

  /**
   * Runs a statement with these values, or those of an object by name, which are NULL if it lacks
   * them. It is prepared once.
   */
  run(sql: string, ...values: SQLInputValue[] | [Readonly<Record<string, SQLInputValue>>]): void {
    this.#statement(sql).run(...(values as SQLInputValue[]))
  }

  /** The rows of a query, one by one. Its tables must not change meanwhile. */
  rows<Row>(sql: string, ...values: SQLInputValue[]): IterableIterator<Row> {
    return this.#statement(sql).iterate(...values) as IterableIterator<Row>
  }

  row<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined
  }

  /** What is published of the clip with this id, or of this video. */
  published(id: string, by: 'clipId' | 'videoId' = 'clipId'): PublishedClip | null {
    return this.#find(`${by} = ?`, id)
  }

  /** The live clip that was last read from a file which is one clip. */
  publishedFrom(file: string): PublishedClip | null {
    return file.endsWith('.json') ? this.#find('source = ? AND NOT withdrawn', file) : null
  }

  /** What is published of all live clips. */
  *live(): Generator<PublishedClip> {
    for (const row of this.rows<PublishedRow>(`SELECT ${publishedColumns} FROM clips WHERE NOT withdrawn`))
      yield withFlags(row)
  }

  traits(clipId: string): object {
    const { traits } = this.row<{ traits: string }>('SELECT traits FROM clips WHERE clipId = ?', clipId)!
    return JSON.parse(traits) as object
  }

  setTraits(clipId: string, traits: object): void {
    this.run('UPDATE clips SET traits = ? WHERE clipId = ?', JSON.stringify(traits), clipId)
  }

  /** Notes that the release has a clip, and the file that it was read from. */
  moveClip(clipId: string, source: string): void {
    this.run('UPDATE clips SET source = ?, withdrawn = 0 WHERE clipId = ?', source, clipId)
  }

  withdraw(clipId: string): void {
    this.run('UPDATE clips SET withdrawn = 1 WHERE clipId = ?', clipId)
  }

  /** The entries of clips by language and ordinal. */
  *entries(): Generator<LedgerEntry> {
    const sql = `SELECT ${columns} FROM clips ORDER BY language, ordinal`
    for (const { traits, ...row } of this.rows<PublishedRow & { traits: string }>(sql))
      yield { ...withFlags(row), traits: JSON.parse(traits) as object }
  }

  /** Stores a clip, replacing its entry. */
  enter({ pruned, withdrawn, traits, ...rest }: LedgerEntry): void {
    const flags = { pruned: Number(pruned), withdrawn: Number(withdrawn) }
    this.run(enterSql, { ...rest, ...flags, traits: JSON.stringify(traits) })
  }

  /** Languages stay in the order of their codes, whatever order they appear in. */
  nextOrdinal(language: string): number {
    const ordinal = this.head.ordinals[language] ?? 0
    const given = Object.entries({ ...this.head.ordinals, [language]: ordinal + 1 })
    this.head.ordinals = Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1)))
    return ordinal
  }

  /** Commits the changes. The tree stays held. */
  commit(): void {
    this.run('UPDATE head SET json = ?', JSON.stringify({ ...this.head, fingerprint: this.fingerprint }))
    this.db.exec('COMMIT; BEGIN EXCLUSIVE')
  }

  /** Discards what was not committed, and releases the tree. */
  close(): void {
    this.db.close()
  }

  #statement(sql: string): StatementSync {
    return this.#statements.getOrInsertComputed(sql, (sql) => this.db.prepare(sql))
  }

  #prepare(): void {
    const { user_version } = this.db.prepare('PRAGMA user_version').get() as { user_version: number }
    if (user_version === 0) {
      this.db.exec(schema)
      this.commit()
    } else if (user_version !== schemaVersion) {
      throw new SyntaxError(
        `cannot read "${statePath}": it has version ${user_version}, this program reads version ${schemaVersion}`,
      )
    }
    const { json } = this.row<{ json: string }>('SELECT json FROM head')!
    const { fingerprint, ...head } = JSON.parse(json) as LedgerHead & { fingerprint: string | null }
    this.fingerprint = fingerprint
    this.head = head
  }

  #find(where: string, value: string): PublishedClip | null {
    const row = this.row<PublishedRow>(`SELECT ${publishedColumns} FROM clips WHERE ${where}`, value)
    return row ? withFlags(row) : null
  }
}

/** SQLite has no booleans. */
type PublishedRow = Omit<PublishedClip, 'pruned' | 'withdrawn'> & { pruned: number; withdrawn: number }

function withFlags({ pruned, withdrawn, ...rest }: PublishedRow): PublishedClip {
  return { ...rest, pruned: pruned !== 0, withdrawn: withdrawn !== 0 }
}

/** What an operator can do about a lost ledger. */
const wayBack =
  'Restore it from a backup, import an exported ledger ("releases import-ledger"), or give up the cursors and the clips\' history of this tree and begin a new one in its place ("build --new-tree")'

const sqliteBusy = 5
const sqliteCorrupt = 11
const sqliteNotADatabase = 26

/** An error of the state in words; other errors as they are. */
export function explained(error: unknown, outFolder: string): unknown {
  const { errcode, message } = error as { errcode?: number; message: string }
  if (errcode === sqliteBusy) return new TreeLocked(outFolder)
  const isDamaged = errcode === sqliteCorrupt || errcode === sqliteNotADatabase
  if (isDamaged)
    return new Refused(
      `the ledger of "${outFolder}" is damaged: "${statePath}": ${message}. Move that file away first. ${wayBack}`,
      { cause: error },
    )
  return error
}
