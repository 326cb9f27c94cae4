import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Another process holds the tree. */
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
 * Who takes over the lock of a process that is gone claims that first, in `.build.lock.next.1`; who takes over from a claimant that is gone too, in
 * `.build.lock.next.2`, and so on.
 */
const claimName = (depth: number) => `${lockName}.next.${depth}`

/**
 * The locks of this process. Another with its number in a lock is gone: a container that is started anew gives out the same numbers.
 */
const held = new Set<string>()

/**
 * Takes the tree for one build. A lock whose process is gone is taken over, by one process however many find it so.
 *
 * @throws {TreeLocked} with the process that holds it
 */
export async function lockTree(outFolder: string): Promise<TreeLock> {
  const folder = resolve(outFolder)
  if (held.has(folder)) throw lockedBy(process.pid, outFolder)
  held.add(folder)
  try {
    const tookOver = await takeLock(folder, outFolder)
    return {
      tookOver,
      async release() {
        await removeLeftovers(folder)
        await rm(join(folder, lockName), { force: true })
        held.delete(folder)
      },
    }
  } catch (error) {
    held.delete(folder)
    throw error
  }
}

async function takeLock(folder: string, outFolder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, lockName)
  // Written aside and linked or moved: the lock never is there without the process that holds it.
  const aside = `${path}.${process.pid}`
  const claims = new Set<string>()
  try {
    for (;;) {
      await rm(aside, { force: true })
      await writeFile(aside, String(process.pid))
      const isFree = await linkOnce(aside, path)
      if (!isFree && !(await claim(folder, outFolder, aside, claims))) continue
      if (!isFree) await rename(aside, path)
      await removeLeftovers(folder)
      return !isFree
    }
  } finally {
    await rm(aside, { force: true })
  }
}

/**
 * Claims the right to put one's own lock in the place of one whose process is gone. To see that it is gone and to replace it cannot be one step: of two
 * that find the same old lock, the slower would remove what the faster has just put there. A claim is made in one step, and nobody replaces a lock
 * without one; so what it was made on stays as it is. Only who holds the lock removes claims, for nobody can have a good one then.
 *
 * `claims` are those that were made before for the same lock. Gives false where the lock is another by now.
 *
 * @throws {TreeLocked} the lock, or the right to it, is that of a process at work
 */
async function claim(
  folder: string,
  outFolder: string,
  aside: string,
  claims: Set<string>,
): Promise<boolean> {
  const chain: { name: string; holder: string }[] = []
  for (let name = lockName; ; name = claimName(chain.length)) {
    const holder = await read(join(folder, name))
    if (holder === null) return false
    if (isAtWork(holder)) throw lockedBy(Number(holder), outFolder)
    chain.push({ name, holder })
    const next = claimName(chain.length)
    if (await linkOnce(aside, join(folder, next))) claims.add(next)
    if (claims.has(next) && (await read(join(folder, next))) === String(process.pid)) break
  }
  const now = await Promise.all(chain.map(({ name }) => read(join(folder, name))))
  return now.every((holder, i) => holder === chain[i]!.holder && !isAtWork(holder))
}

/** Gives a file a second name in one step; false where that is taken, or the file was cleared away by the build at work. */
async function linkOnce(file: string, name: string): Promise<boolean> {
  try {
    await link(file, name)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || code === 'ENOENT') return false
    throw error
  }
}

async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Clears up claims, and behind those that were killed while they took the lock. Only who holds it may. */
async function removeLeftovers(folder: string): Promise<void> {
  const prefix = `${lockName}.`
  for (const name of await readdir(folder)) {
    const pid = name.slice(prefix.length)
    if (name.startsWith(prefix) && pid !== String(process.pid) && !isAtWork(pid))
      await rm(join(folder, name), { force: true })
  }
}

/** Another program may have got the number of a build that was killed: then only a person can tell. */
function lockedBy(holder: number, outFolder: string): TreeLocked {
  return new TreeLocked(
    `another build, process ${holder}, is at work in "${outFolder}" (if that is no build, remove its ${lockName})`,
  )
}

function isAtWork(holder: string): boolean {
  const pid = Number(holder)
  return pid > 0 && pid !== process.pid && isRunning(pid)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
