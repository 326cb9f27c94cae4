import { join } from 'node:path'
import { toDate } from '#contract/dates.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { currentPath, indexJsonPath, releasePath } from '#release/paths.ts'
import { readCurrent, readManifest } from '#release/release.ts'
import { FolderTree, nullIfMissing } from '#release/tree.ts'

/**
 * Returns the id of the release in service, or null if nothing was ever published.
 *
 * @throws {SyntaxError} `current.json` is malformed
 */
export async function readCurrentOrNull(outFolder: string): Promise<string | null> {
  return await nullIfMissing(readCurrent(new FolderTree(outFolder)))
}

/**
 * Puts a release in service: `index.json` first, then `current.json`, which the proxies follow. If
 * the process dies in between, the state of the build is ahead of the pointer, and the next process
 * repeats this. `rollbackSince` is the start of the rollback that holds the release, if there is
 * one.
 */
export async function pointTo(outFolder: string, release: string, rollbackSince?: string): Promise<void> {
  const { builtAtMs, corpus, index } = await readManifest(new FolderTree(outFolder), release)
  await write(outFolder, indexJsonPath, {
    release,
    builtAt: toDate(builtAtMs),
    corpus,
    changes: releasePath(release, 'changes.json'),
    languages: index,
  })
  await write(outFolder, currentPath, { release, ...(rollbackSince && { rollbackSince }) })
}

async function write(outFolder: string, path: string, value: object): Promise<void> {
  await atomicWrite(join(outFolder, path), JSON.stringify(value, null, 1) + '\n', { sync: true })
}
