import { rmSync, statSync, type Stats } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** How often the path is checked, in milliseconds. A check takes about 4 µs. */
const checkMs = 50

/**
 * Which file an open database is. SQLite never looks at the path again, so it would go on writing
 * to a file that was deleted or replaced. An inode is not given to another file while it is open.
 */
export class FileIdentity {
  readonly #file: string
  readonly #log: string
  readonly #db: DatabaseSync
  readonly #fileStats: Stats | undefined
  readonly #logStats: Stats | undefined
  #checkedMs = performance.now()
  #isReleased = false

  constructor(file: string, db: DatabaseSync) {
    this.#file = file
    this.#log = `${file}-wal`
    this.#db = db
    this.#fileStats = statsAt(file)
    this.#logStats = statsAt(this.#log)
  }

  /**
   * Whether the file at the path is the one that is open, and so is its write-ahead log. A change
   * shows within `checkMs`; once it shows, it shows at every call.
   */
  isAtPath(): boolean {
    if (this.#isReleased) return false
    const nowMs = performance.now()
    if (nowMs - this.#checkedMs < checkMs) return true
    if (!isSame(statsAt(this.#file), this.#fileStats) || !isSame(statsAt(this.#log), this.#logStats))
      return false
    this.#checkedMs = nowMs
    return true
  }

  /**
   * Leaves the file, before another is opened at its path. What its log holds is written into it:
   * the file may be moved back. Then the log is deleted, if it still lies at the path: SQLite would
   * take it for the log of the new file.
   *
   * @throws {Error} the log cannot be written into the file now
   */
  release(): void {
    if (this.#isReleased) return
    const log = statsAt(this.#log)
    const isLogOurs = isSame(log, this.#logStats)
    const isLogGone = log === undefined && isSame(statsAt(this.#file), this.#fileStats)
    if (isLogOurs || isLogGone) {
      const { busy } = this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
      if (busy !== 0) throw new Error('another process still uses the log of the previous file')
    }
    // Looked at again: another process of the service may have taken up the new file meanwhile.
    if (isLogOurs && isSame(statsAt(this.#log), this.#logStats))
      for (const part of [this.#log, `${this.#file}-shm`]) rmSync(part, { force: true })
    this.#isReleased = true
  }
}

function statsAt(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

function isSame(a: Stats | undefined, b: Stats | undefined): boolean {
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev
}
