import { lockTree } from './lock.ts'
import { recover } from './recover.ts'

/**
 * Does some work on a tree that no build, prune or rollback does at the same time. What a killed one left is cleared up first.
 *
 * @throws {TreeLocked} another process is at work on the tree
 */
export async function holdTree<T>(outFolder: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockTree(outFolder)
  try {
    await recover(outFolder, lock)
    return await work()
  } finally {
    await lock.release()
  }
}
