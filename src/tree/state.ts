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
import { Refused } from './refused.ts'
import { TreeLocked } from './tree-locked.ts'

/** Raised when the tables change. */
const schemaVersion = 1
const schema = `
  CREATE TABLE head (
    tree TEXT NOT NULL, releases INTEGER NOT NULL, release TEXT, latest TEXT,
    inherited INTEGER NOT NULL, held INTEGER NOT NULL, fingerprint TEXT
  );
  INSERT INTO head VALUES ('', 0, NULL, NULL, 0, 0, NULL);
  CREATE TABLE ordinals (language TEXT PRIMARY KEY, given INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE clips (
    id INTEGER PRIMARY KEY,
    clipId TEXT NOT NULL UNIQUE, videoId TEXT NOT NULL, language TEXT NOT NULL, ordinal INTEGER NOT NULL,
    revision INTEGER NOT NULL, firstRelease INTEGER NOT NULL, source TEXT NOT NULL,
    sourceDigest TEXT NOT NULL, recordDigest TEXT NOT NULL, transcriptDigest TEXT NOT NULL,
    pruned INTEGER NOT NULL, withdrawn INTEGER NOT NULL, traits TEXT NOT NULL
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
export interface PublishedClip extends Omit<LedgerEntry, 'traits' | 'pruned' | 'withdrawn'> {
  pruned: boolean
  withdrawn: boolean
}

const publishedColumns = columns.replace('traits, ', '')

interface ClipColumns extends Omit<LedgerEntry, 'traits' | 'pruned' | 'withdrawn'> {
  traits: string
  pruned: number
  withdrawn: number
}

interface HeadColumns extends Omit<LedgerHead, 'inherited' | 'held' | 'ordinals'> {
  inherited: number
  held: number
  fingerprint: string | null
}

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

  entry(clipId: string): LedgerEntry | undefined {
    const row = this.row<ClipColumns>(`SELECT ${columns} FROM clips WHERE clipId = ?`, clipId)
    return row && toEntry(row)
  }

  /** What is published of the clip with this id, or of this video. */
  published(id: string, by: 'clipId' | 'videoId' = 'clipId'): PublishedClip | null {
    const row = this.row<ClipColumns>(`SELECT ${publishedColumns} FROM clips WHERE ${by} = ?`, id)
    return row ? toPublished(row) : null
  }

  /** The live clip that was last read from a file which is one clip. */
  publishedFrom(file: string): PublishedClip | null {
    if (!file.endsWith('.json')) return null
    const where = 'source = ? AND NOT withdrawn'
    const row = this.row<ClipColumns>(`SELECT ${publishedColumns} FROM clips WHERE ${where}`, file)
    return row ? toPublished(row) : null
  }

  /** What is published of all clips of a condition in SQL. */
  *allPublished(where: string): Generator<PublishedClip> {
    for (const row of this.rows<ClipColumns>(`SELECT ${publishedColumns} FROM clips WHERE ${where}`))
      yield toPublished(row)
  }

  traits(clipId: string): object {
    const { traits } = this.row<ClipColumns>('SELECT traits FROM clips WHERE clipId = ?', clipId)!
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

  /** Languages stay in the order of their codes, whatever order they appear in. */
  nextOrdinal(language: string): number {
    const given = this.head.ordinals
    const ordinal = given[language]
    if (ordinal === undefined) {
      const sorted = Object.entries({ ...given, [language]: 1 }).sort(([a], [b]) => (a < b ? -1 : 1))
      this.head.ordinals = Object.fromEntries(sorted)
      return 0
    }
    given[language] = ordinal + 1
    return ordinal
  }

  /** Commits the changes. The tree stays held. */
  commit(): void {
    const { ordinals, inherited = false, held = false, ...rest } = this.head
    this.run(
      `UPDATE head SET tree = :tree, releases = :releases, release = :release, latest = :latest,
        inherited = :inherited, held = :held, fingerprint = :fingerprint`,
      { ...rest, inherited: Number(inherited), held: Number(held), fingerprint: this.fingerprint },
    )
    for (const [language, given] of Object.entries(ordinals))
      this.run('INSERT OR REPLACE INTO ordinals VALUES (?, ?)', language, given)
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
    const { inherited, held, fingerprint, ...head } = this.row<HeadColumns>('SELECT * FROM head')!
    const given = this.rows<{ language: string; given: number }>(
      'SELECT language, given FROM ordinals ORDER BY language',
    )
    const ordinals = Object.fromEntries(Array.from(given, (row) => [row.language, row.given]))
    this.fingerprint = fingerprint
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

function toPublished({ pruned, withdrawn, ...rest }: ClipColumns): PublishedClip {
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
