import type { ClipList } from '#release/words/layout.ts'
import type { OnProgress } from './progress.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Writes the lists of the words of all buckets. Returns them by wordId. */
export async function listWords(
  buckets: readonly number[],
  pool: WorkerPool,
  onProgress: OnProgress,
): Promise<Map<number, ClipList>> {
  const lists = new Map<number, ClipList>()
  let done = 0
  for await (const [, written] of pool.each('list', buckets)) {
    for (const [wordId, list] of written) lists.set(wordId, list)
    onProgress({ step: 'list', done: ++done, total: buckets.length })
  }
  return lists
}
