import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { atomicWrite } from '#kit/atomic-write.ts'
import { isNotFound } from '#kit/is-not-found.ts'
import { isCompressible } from '#release/media-types.ts'
import type { PublishTarget } from './target.ts'

const compress = promisify(gzip)
const worthCompressingBytes = 1024

/**
 * A folder that a web server serves. With `isCompressed` each text has a `.gz` beside it, written
 * before it, which servers such as nginx (`gzip_static`) send as it is.
 */
export function folderTarget(folder: string, isCompressed: boolean): PublishTarget {
  const placeOf = (path: string) => join(folder, path)
  return {
    location: folder,
    read: (path) => orNull(readFile(placeOf(path))),
    async has(path, sizeBytes) {
      const found = await orNull(stat(placeOf(path)))
      return found !== null && found.size === sizeBytes
    },
    async write(path, bytes, { contentType }) {
      if (isCompressed && bytes.length > worthCompressingBytes && isCompressible(contentType))
        await atomicWrite(`${placeOf(path)}.gz`, await compress(bytes), { sync: false })
      await atomicWrite(placeOf(path), bytes, { sync: false })
    },
    async delete(paths) {
      for (const path of paths) {
        await rm(placeOf(path), { force: true })
        await rm(`${placeOf(path)}.gz`, { force: true })
      }
    },
  }
}

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  return await reading.catch((error: unknown) => {
    if (isNotFound(error)) return null
    throw error
  })
}
