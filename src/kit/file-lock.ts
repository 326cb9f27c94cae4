import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder, privateFileMode, privateFolderMode } from './make-folder.ts'

const busyCode = 5

/**
 * A lock of one process, taken by SQLite on an empty file: the system releases it if the process is
 * killed.
 *
 *     using lock = new FileLock('var/cache/table.lock')
 *     if (lock.isBusy) return
 */
export class FileLock implements Disposable {
  /** Whether another process has the lock. If the file cannot be written, nobody has it. */
  readonly isBusy: boolean
  #database: DatabaseSync | undefined

  constructor(path: string) {
    try {
      makeFolder(dirname(path), privateFolderMode)
      closeSync(openSync(path, 'a', privateFileMode))
      this.#database = new DatabaseSync(path)
      this.#database.exec('BEGIN EXCLUSIVE')
      this.isBusy = false
    } catch (error) {
      this.isBusy = (error as { errcode?: number }).errcode === busyCode
    }
  }

  [Symbol.dispose](): void {
    this.#database?.close()
  }
}
