/**
 * What the build remembers about a tree: `.build/state.sqlite` (FORMAT.md, "The state").
 *
 * Whoever has it open holds the tree. The connection keeps SQLite's exclusive lock from opening to
 * closing, over every commit. The kernel releases the lock when the process dies, however it dies,
 * and the next one to open the file finds what was committed last.
 */
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { makeFolder } from '#kit/make-folder.ts'
import { privateFolder, statePath } from '#release/paths.ts'
import type { LedgerEntry, LedgerHead } from './ledger.ts'
import { TreeLocked } from './tree-locked.ts'

/** Raised when the tables change. */
const schemaVersion = 1
const schema = `
  CREATE TABLE head (
    tree TEXT NOT NULL, releases INTEGER NOT NULL, release TEXT, latest TEXT,
    inherited INTEGER NOT NULL, held INTEGER NOT NULL
  );
  INSERT INTO head VALUES ('', 0, NULL, NULL, 0, 0);
  CREATE TABLE reading (startedNs TEXT NOT NULL, version INTEGER NOT NULL);
  CREATE TABLE ordinals (language TEXT PRIMARY KEY, given INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE clips (
    id INTEGER PRIMARY KEY,
    clipId TEXT NOT NULL UNIQUE, videoId TEXT NOT NULL, language TEXT NOT NULL, ordinal INTEGER NOT NULL,
    revision INTEGER NOT NULL, firstRelease INTEGER NOT NULL, source TEXT NOT NULL,
    sourceDigest TEXT NOT NULL, recordDigest TEXT NOT NULL, transcriptDigest TEXT NOT NULL,
    pruned INTEGER NOT NULL, withdrawn INTEGER NOT NULL, traits TEXT NOT NULL
  );
  CREATE INDEX clipsByVideo ON clips (videoId);
  CREATE TABLE files (id INTEGER PRIMARY KEY, file TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL);
  CREATE TABLE texts (
    fileId INTEGER NOT NULL, line INTEGER NOT NULL, "from" INTEGER NOT NULL, "to" INTEGER NOT NULL, raw TEXT,
    clipId TEXT, videoId TEXT, language TEXT, digest TEXT, field TEXT, reason TEXT,
    PRIMARY KEY (fileId, line)
  ) WITHOUT ROWID;
  PRAGMA user_version = ${schemaVersion};
`

/** The columns of a clip, in the order of `LedgerEntry`. */
const columns =
  'clipId, videoId, language, ordinal, revision, firstRelease, source, sourceDigest, recordDigest, transcriptDigest, traits, pruned, withdrawn'

const enterSql = `
  INSERT INTO clips (${columns}) VALUES (${columns.replace(/\w+/g, ':$&')})
    ON CONFLICT (clipId) DO UPDATE SET (${columns}) = (${columns.replace(/\w+/g, 'excluded.$&')})`

interface ClipColumns extends Omit<LedgerEntry, 'traits' | 'pruned' | 'withdrawn'> {
  traits: string
  pruned: number
  withdrawn: number
}

export class State {
  /** Changed in place, written by `commit`. */
  head: LedgerHead = { tree: '', releases: 0, release: null, latest: null, ordinals: {} }
  readonly db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  private constructor(db: DatabaseSync) {
    this.db = db
  }

  /**
   * Opens the state of a tree, and creates it if there is none.
   *
   * @throws {TreeLocked} another process, or other work of this one, holds the tree
   * @throws {SyntaxError} the file is no state, or one of another version
   */
  static open(outFolder: string): State {
    makeFolder(join(outFolder, privateFolder))
    const db = new DatabaseSync(join(outFolder, statePath), { timeout: 0 })
    try {
      db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; BEGIN EXCLUSIVE')
      const state = new State(db)
      state.#prepare()
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
    this.statement(sql).run(...(values as SQLInputValue[]))
  }

  /** The rows of a query, one by one. Its tables must not change meanwhile. */
  rows<Row>(sql: string, ...values: SQLInputValue[]): IterableIterator<Row> {
    return this.statement(sql).iterate(...values) as IterableIterator<Row>
  }

  row<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.statement(sql).get(...values) as Row | undefined
  }

  statement(sql: string): StatementSync {
    return this.#statements.getOrInsertComputed(sql, (sql) => this.db.prepare(sql))
  }

  entry(clipId: string): LedgerEntry | undefined {
    const row = this.row<ClipColumns>(`SELECT ${columns} FROM clips WHERE clipId = ?`, clipId)
    return row && toEntry(row)
  }

  /** The entries of clips by language and ordinal. `where` is a condition in SQL. */
  *entries(where = 'TRUE'): Generator<LedgerEntry> {
    const sql = `SELECT ${columns} FROM clips WHERE ${where} ORDER BY language, ordinal`
    for (const row of this.rows<ClipColumns>(sql)) yield toEntry(row)
  }

  /** Stores a clip, replacing its entry. */
  enter(entry: LedgerEntry): void {
    const { pruned = false, withdrawn = false, traits } = entry
    this.run(enterSql, {
      ...entry,
      traits: JSON.stringify(traits),
      pruned: Number(pruned),
      withdrawn: Number(withdrawn),
    })
  }

  nextOrdinal(language: string): number {
    const ordinal = this.head.ordinals[language] ?? 0
    this.head.ordinals[language] = ordinal + 1
    return ordinal
  }

  /** Commits the changes. The tree stays held. */
  commit(): void {
    const { ordinals, inherited = false, held = false, ...rest } = this.head
    this.run(
      `UPDATE head SET tree = :tree, releases = :releases, release = :release, latest = :latest,
        inherited = :inherited, held = :held`,
      { ...rest, inherited: Number(inherited), held: Number(held) },
    )
    for (const [language, given] of Object.entries(ordinals))
      this.run('INSERT OR REPLACE INTO ordinals VALUES (?, ?)', language, given)
    this.db.exec('COMMIT; BEGIN EXCLUSIVE')
  }

  /** Discards the changes since the last commit. */
  rollback(): void {
    this.db.exec('ROLLBACK; BEGIN EXCLUSIVE')
    this.#readHead()
  }

  /** Discards what was not committed, and releases the tree. */
  close(): void {
    this.db.close()
  }

  #prepare(): void {
    const { user_version } = this.db.prepare('PRAGMA user_version').get() as { user_version: number }
    if (user_version === 0) {
      this.db.exec(schema)
      this.commit()
    } else if (user_version !== schemaVersion) {
      throw new SyntaxError(`it has version ${user_version}, this program reads version ${schemaVersion}`)
    }
    this.#readHead()
  }

  #readHead(): void {
    const { inherited, held, ...head } = this.row<
      Omit<LedgerHead, 'inherited' | 'held' | 'ordinals'> & { inherited: number; held: number }
    >('SELECT tree, releases, release, latest, inherited, held FROM head')!
    const given = this.rows<{ language: string; given: number }>('SELECT language, given FROM ordinals')
    const ordinals = Object.fromEntries(Array.from(given, (row) => [row.language, row.given]))
    this.head = {
      ...head,
      ordinals,
      ...(inherited ? { inherited: true } : {}),
      ...(held ? { held: true } : {}),
    }
  }
}

function toEntry({ traits, pruned, withdrawn, ...rest }: ClipColumns): LedgerEntry {
  return {
    ...rest,
    traits: JSON.parse(traits) as object,
    ...(pruned ? { pruned: true } : {}),
    ...(withdrawn ? { withdrawn: true } : {}),
  }
}

const sqliteBusy = 5
const sqliteCorrupt = 11
const sqliteNotADatabase = 26

function explained(error: unknown, outFolder: string): unknown {
  const { errcode, message } = error as { errcode?: number; message: string }
  if (errcode === sqliteBusy) return new TreeLocked(outFolder)
  if (error instanceof SyntaxError || errcode === sqliteCorrupt || errcode === sqliteNotADatabase)
    return new SyntaxError(`cannot read "${statePath}": ${message}`)
  return error
}
