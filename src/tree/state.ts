/**
 * The build's state of a tree: `.build/state.sqlite` (FORMAT.md, "The state").
 *
 * The process that has it open holds the tree. The connection keeps SQLite's exclusive lock from
 * opening to closing, across commits. The kernel releases the lock when the process dies, and the
 * next process that opens the file finds the last commit.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { makeFolder, privateFolderMode } from '#kit/make-folder.ts'
import { currentVersion, migrationsFrom } from '#kit/stored-format.ts'
import { toSentence } from '#kit/to-sentence.ts'
import { currentPath, privateFolder, statePath } from '#release/paths.ts'
import type { LedgerEntry, LedgerHead } from './ledger.ts'
import { Refused, TreeLocked } from './refused.ts'
import { stateFormat } from './state-format.ts'

/**
 * A clip is its entry as JSON. Its traits are stored separately, because a night reads few of them.
 */
const schema = `
  CREATE TABLE head (json TEXT NOT NULL);
  INSERT INTO head VALUES ('');
  CREATE TABLE clips (
    clipId TEXT PRIMARY KEY, entry TEXT NOT NULL, traits TEXT NOT NULL,
    videoId TEXT AS (entry ->> 'videoId'), source TEXT AS (entry ->> 'source'),
    withdrawn INTEGER AS (entry ->> 'withdrawn'),
    language TEXT AS (entry ->> 'language'), ordinal INTEGER AS (entry ->> 'ordinal')
  );
  CREATE INDEX clipsByVideo ON clips (videoId);
  CREATE INDEX clipsBySource ON clips (source);
`

/** The published data of a clip: its entry without its traits. */
export type PublishedClip = Omit<LedgerEntry, 'traits'>

/** The action if a tree has releases and no ledger. */
export type LostLedger = 'refuse' | 'begin again' | 'replace'

export class State {
  /** Changed in place, and written by `commit`. */
  head: LedgerHead = { tree: '', releases: 0, release: null, latest: null, ordinals: {} }
  readonly db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  private constructor(db: DatabaseSync, path: string) {
    this.db = db
    const { user_version } = this.db.prepare('PRAGMA user_version').get() as { user_version: number }
    const setVersion = `PRAGMA user_version = ${currentVersion(stateFormat)}`
    // A damaged header or another program may have left a version of 0 beside tables.
    const isNew = user_version === 0 && !this.db.prepare('SELECT 1 FROM sqlite_schema').get()
    if (isNew) {
      this.db.exec(schema)
      this.db.exec(setVersion)
      this.commit()
    }
    const migrations = isNew ? [] : migrationsFrom(stateFormat, user_version, `"${path}"`)
    for (const migrate of migrations) migrate(this.db)
    if (migrations.length > 0) this.db.exec(setVersion)
    const { json } = this.db.prepare('SELECT json FROM head').get() as { json: string }
    this.head = JSON.parse(json) as LedgerHead
  }

  /**
   * Opens the state of a tree, and creates it if there is none.
   *
   * @throws {TreeLocked} another process, or other work of this one, holds the tree
   * @throws {Refused} the tree has releases, and its ledger is lost
   * @throws {UnreadableVersion} the file has another version, and cannot be migrated
   */
  static open(outFolder: string, lostLedger: LostLedger = 'refuse'): State {
    makeFolder(outFolder)
    const folder = join(outFolder, privateFolder)
    makeFolder(folder, privateFolderMode)
    const path = join(outFolder, statePath)
    const hadState = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
    const db = new DatabaseSync(path, { timeout: 0 })
    try {
      db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; BEGIN EXCLUSIVE')
      const state = new State(db, path)
      // A killed first build leaves a state, and files that were never served.
      const requiredPaths = hadState ? [currentPath] : [currentPath, 'releases', 'data/clips']
      const isPublished = requiredPaths.some((name) => existsSync(join(outFolder, name)))
      if (state.head.tree === '' && lostLedger === 'refuse' && isPublished)
        throw new Refused(
          `the ledger of "${outFolder}" is lost: "${statePath}" does not contain it. ${toSentence(wayBack)}`,
        )
      return state
    } catch (error) {
      db.close()
      throw explainSqliteError(error, outFolder)
    }
  }

  /** Returns the published data of the clip with this id, or of this video. */
  publishedClip(id: string, by: 'clipId' | 'videoId' = 'clipId'): PublishedClip | null {
    return this.#find(`${by} = ?`, id)
  }

  /** Returns the live clip that was last read from a file with a single clip. */
  publishedFrom(file: string): PublishedClip | null {
    return /\.json$/i.test(file) ? this.#find('source = ? AND NOT withdrawn', file) : null
  }

  /** Yields the published data of all live clips, by language and ordinal. */
  *live(): Generator<PublishedClip> {
    const sql = 'SELECT entry FROM clips WHERE NOT withdrawn ORDER BY language, ordinal'
    for (const { entry } of this.#statement(sql).iterate()) yield JSON.parse(entry as string) as PublishedClip
  }

  traits(clipId: string): object {
    const { traits } = this.#statement('SELECT traits FROM clips WHERE clipId = ?').get(clipId)!
    return JSON.parse(traits as string) as object
  }

  setTraits(clipId: string, traits: object): void {
    this.#statement('UPDATE clips SET traits = ? WHERE clipId = ?').run(JSON.stringify(traits), clipId)
  }

  /** Yields the entries of clips by language and ordinal. */
  *entries(): Generator<LedgerEntry> {
    const sql = 'SELECT entry, traits FROM clips ORDER BY language, ordinal'
    for (const { entry, traits } of this.#statement(sql).iterate() as Iterable<Record<string, string>>)
      yield { ...(JSON.parse(entry!) as PublishedClip), traits: JSON.parse(traits!) as object }
  }

  /** Stores a clip, replacing its entry. */
  enter({ traits, ...clip }: LedgerEntry): void {
    const sql = 'INSERT OR REPLACE INTO clips (clipId, entry, traits) VALUES (?, ?, ?)'
    this.#statement(sql).run(clip.clipId, JSON.stringify(clip), JSON.stringify(traits))
  }

  /** Stores the published data of a clip that has an entry. */
  update(clip: PublishedClip): void {
    this.#statement('UPDATE clips SET entry = ? WHERE clipId = ?').run(JSON.stringify(clip), clip.clipId)
  }

  /** Languages stay in the order of their codes, whatever order they appear in. */
  nextOrdinal(language: string): number {
    const ordinal = this.head.ordinals[language] ?? 0
    const ordinals = Object.entries({ ...this.head.ordinals, [language]: ordinal + 1 })
    this.head.ordinals = Object.fromEntries(ordinals.sort(([a], [b]) => (a < b ? -1 : 1)))
    return ordinal
  }

  /** Commits the changes. The tree stays held. */
  commit(): void {
    this.#statement('UPDATE head SET json = ?').run(JSON.stringify(this.head))
    this.db.exec('COMMIT; BEGIN EXCLUSIVE')
  }

  /** Discards uncommitted changes, and releases the tree. */
  close(): void {
    this.db.close()
  }

  #statement(sql: string): StatementSync {
    return this.#statements.getOrInsertComputed(sql, (sql) => this.db.prepare(sql))
  }

  #find(where: string, value: string): PublishedClip | null {
    const row = this.#statement(`SELECT entry FROM clips WHERE ${where}`).get(value)
    return row ? (JSON.parse(row.entry as string) as PublishedClip) : null
  }
}

/** The ways in which an operator can recover from a lost ledger. */
const wayBack =
  'restore the ledger from a backup, import an exported ledger ("releases import-ledger"), or begin a new tree in its place ("build --new-tree"), which ends all cursors and the history of its clips'

const sqliteCodes = { busy: 5, readOnly: 8, corrupt: 11, full: 13, notADatabase: 26 }

/** Explains an error of the state; returns other errors unchanged. */
export function explainSqliteError(error: unknown, outFolder: string): unknown {
  const { errcode, message } = error as { errcode?: number; message: string }
  if (errcode === sqliteCodes.busy) return new TreeLocked(outFolder)
  // The upper bits of the code contain details.
  const kind = (errcode ?? 0) & 0xff
  if (kind === sqliteCodes.readOnly || kind === sqliteCodes.full) {
    const reason = kind === sqliteCodes.full ? 'no space is left on the device' : 'it is read-only'
    return new Refused(`cannot write "${join(outFolder, statePath)}": ${reason}`, { cause: error })
  }
  if (kind === sqliteCodes.corrupt || kind === sqliteCodes.notADatabase)
    return new Refused(
      `the ledger of "${outFolder}" is damaged: "${statePath}": ${message}. Move that file away, and then ${wayBack}`,
      { cause: error },
    )
  return error
}
