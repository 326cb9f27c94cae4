import { expect, test } from 'vitest'
import { ChangedWords } from '#build/list-words.ts'
import type { BucketOfWords } from '#build/tasks.ts'
import { bucketCount } from '#build/word-spool.ts'
import type { WorkerPool } from '#build/worker-pool.ts'
import { packPostings } from '#release/postings/layout.ts'

/** The buckets that the workers are sent, if each word is said in so many clips. */
async function bucketsSent(clipCounts: ReadonlyMap<number, number>): Promise<number[]> {
  const changed = new ChangedWords(null, new Set())
  for (const [wordId, clipCount] of clipCounts) {
    const said = packPostings([0, 0, 0, 0, 0, 0], [{ wordId, occurrenceCount: 1, tStartMs: 0 }])
    for (let i = 0; i < clipCount; i++)
      changed.add({ clipId: `${wordId}-${i}`, language: 'en', level: 'A1', said })
  }
  const sent: number[] = []
  const pool = {
    async *each(_task: string, buckets: Iterable<BucketOfWords>) {
      for (const input of buckets) {
        sent.push(input.bucket)
        yield [input, input.words.map(({ wordId }) => [wordId, null])]
      }
    },
  }
  await changed.lists(pool as unknown as WorkerPool, () => {})
  return sent
}

test('every bucket is sent once, and of any four in a row only one is of the largest quarter', async () => {
  for (const count of [0, 1, 2, 3, 4, 5, 6, 9, 40]) {
    // The words of larger numbers are said in more clips.
    const buckets = Array.from({ length: count }, (_, i) => i + 1)
    const sent = await bucketsSent(new Map(buckets.map((wordId) => [wordId, wordId])))
    expect(sent.toSorted((a, b) => a - b)).toEqual(buckets)
    const isLarge = sent.map((bucket) => bucket > count - Math.ceil(count / 4))
    for (let i = 0; i + 4 <= count; i++) expect(isLarge.slice(i, i + 4).filter(Boolean)).toHaveLength(1)
  }
})

test('a bucket is as large as all of its words together', async () => {
  const counts = new Map([
    [1, 5],
    [2, 4],
    [2 + bucketCount, 4],
    [3, 1],
    [4, 1],
  ])
  expect((await bucketsSent(counts))[0]).toBe(2)
})
