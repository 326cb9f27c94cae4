import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CacheStorage } from './storage.ts'

/** Keeps texts as files in a folder, for one process at a time. Works in Node, Bun and Deno. */
export function folderStorage(folder: string): CacheStorage {
  // Video ids can differ only in case, which file systems may ignore.
  const fileOf = (key: string) => join(folder, Buffer.from(key).toString('hex'))
  let writes = 0
  return {
    get: async (key) => await readFile(fileOf(key), 'utf8').catch(unlessMissing),
    async set(key, text) {
      await mkdir(folder, { recursive: true })
      const temporaryFile = join(folder, `${process.pid}-${writes++}.tmp`)
      await writeFile(temporaryFile, text)
      await rename(temporaryFile, fileOf(key))
    },
    delete: async (key) => await rm(fileOf(key), { force: true }),
    async sizes() {
      const names = (await readdir(folder).catch(unlessMissing)) ?? []
      const files = await Promise.all(
        names
          .filter((name) => !name.endsWith('.tmp'))
          .map(async (name) => ({ name, file: await stat(join(folder, name)) })),
      )
      files.sort((a, b) => a.file.mtimeMs - b.file.mtimeMs)
      return files.map(({ name, file }) => [Buffer.from(name, 'hex').toString(), file.size])
    },
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
