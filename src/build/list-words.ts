import type { ClipList } from '#release/words/layout.ts'
import type { OnProgress } from './progress.ts'
import { bucketCount } from './list-word.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Writes the lists of all words. Returns them by wordId. */
export async function listWords(pool: WorkerPool, onProgress: OnProgress): Promise<Map<number, ClipList>> {
  const lists = new Map<number, ClipList>()
  let done = 0
  for await (const [, written] of pool.each('list', Array(bucketCount).keys())) {
    for (const [wordId, list] of written) lists.set(wordId, list)
    onProgress({ step: 'list', done: ++done, total: bucketCount })
  }
  return lists
}
