import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { FileLock } from '#kit/file-lock.ts'
import { nullIfNotFound } from '#kit/not-found.ts'
import { makeFolder } from '#kit/make-folder.ts'
import { isCompressible, mediaType } from '#release/media-types.ts'
import { Refused } from '../refused.ts'
import type { PublishTarget } from './target.ts'

const compress = promisify(gzip)
const worthCompressingBytes = 1024
/**
 * The name of the file that is being written. A killed run leaves it, and the next one removes it.
 */
const workName = '.publishing'

/**
 * A folder that a web server serves. With `isCompressed`, each text has a `.gz` beside it, written
 * before it, which servers such as nginx (`gzip_static`) send.
 */
export function folderTarget(folder: string, isCompressed: boolean): PublishTarget {
  const work = join(folder, workName)
  let lock: FileLock | undefined
  let fileCount = 0
  const placeOf = (path: string) => join(folder, path)
  const isZipped = (path: string, bytes: Uint8Array) =>
    isCompressed && bytes.length > worthCompressingBytes && isCompressible(mediaType(path))
  const put = async (place: string, bytes: Uint8Array) => {
    const aside = join(work, String(fileCount++))
    await writeFile(aside, bytes)
    makeFolder(dirname(place))
    await rename(aside, place)
  }
  return {
    location: folder,
    async begin() {
      // Before the lock, which creates its folder for this user only.
      makeFolder(folder)
      lock = new FileLock(join(folder, `${workName}.lock`))
      if (lock.isBusy) throw new Refused(`another process is publishing to "${folder}"`)
      await rm(work, { recursive: true, force: true })
      makeFolder(work)
    },
    read: (path) => nullIfNotFound(readFile(placeOf(path))),
    async compare(path, bytes) {
      const bytesThere = await nullIfNotFound(readFile(placeOf(path)))
      if (bytesThere && !bytesThere.equals(bytes)) return 'other'
      const isWhole = bytesThere && (!isZipped(path, bytes) || existsSync(`${placeOf(path)}.gz`))
      return isWhole ? 'same' : 'missing'
    },
    async write(path, bytes) {
      const gzipPath = `${placeOf(path)}.gz`
      if (isZipped(path, bytes)) await put(gzipPath, await compress(bytes))
      else await rm(gzipPath, { force: true })
      await put(placeOf(path), bytes)
    },
    async delete(paths) {
      for (const path of paths) {
        await rm(placeOf(path), { force: true })
        await rm(`${placeOf(path)}.gz`, { force: true })
      }
    },
    async [Symbol.asyncDispose]() {
      if (lock?.isBusy !== false) return
      await rm(work, { recursive: true, force: true })
      lock[Symbol.dispose]()
      await rm(join(folder, `${workName}.lock`), { force: true })
    },
  }
}
