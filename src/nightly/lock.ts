import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Another build holds the tree. */
export class TreeLocked extends Error {
  override name = 'TreeLocked'
}

/** A tree taken for one build. */
export interface TreeLock {
  /** The lock was that of a process that is gone: its build did not end. */
  tookOver: boolean
  release(): Promise<void>
}

/** The file that holds the process at work, as a number. */
export const lockName = '.build.lock'

/**
 * The locks of this process. Another with its number in a lock is gone: a container that is started anew gives out the same numbers.
 */
const held = new Set<string>()

/**
 * Takes the tree for one build. A lock whose process is gone is taken over.
 *
 * @throws {TreeLocked} with the process that holds it
 */
export async function lockTree(outFolder: string): Promise<TreeLock> {
  const path = join(resolve(outFolder), lockName)
  if (held.has(path)) throw lockedBy(process.pid, outFolder)
  held.add(path)
  try {
    const tookOver = await takeLock(path, outFolder)
    return {
      tookOver,
      async release() {
        await rm(path, { force: true })
        held.delete(path)
      },
    }
  } catch (error) {
    held.delete(path)
    throw error
  }
}

async function takeLock(path: string, outFolder: string): Promise<boolean> {
  await mkdir(outFolder, { recursive: true })
  // Written aside and linked: the lock never is there without the process that holds it.
  const aside = `${path}.${process.pid}`
  await writeFile(aside, String(process.pid))
  try {
    for (let tookOver = false; ; tookOver = true) {
      try {
        await link(aside, path)
        return tookOver
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = Number(await readFile(path, 'utf8').catch(() => ''))
      if (holder > 0 && holder !== process.pid && isRunning(holder)) throw lockedBy(holder, outFolder)
      await rm(path, { force: true })
    }
  } finally {
    await rm(aside, { force: true })
  }
}

/** Another program may have got the number of a build that was killed: then only a person can tell. */
function lockedBy(holder: number, outFolder: string): TreeLocked {
  return new TreeLocked(
    `another build, process ${holder}, is at work in "${outFolder}" (if that is no build, remove its ${lockName})`,
  )
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
