import type { SegmentEntry } from '#release/sentences/layout.ts'
import type { SegmentRange } from './segments.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Writes the sentence index. Returns with it the forms that words were heard in, by word id. */
export async function writeSentences(
  segments: readonly SegmentRange[],
  pool: WorkerPool,
): Promise<{ sentences: SegmentEntry[]; heard: Map<number, Set<string>> }> {
  const sentences: SegmentEntry[] = []
  const heard = new Map<number, Set<string>>()
  for await (const [, written] of pool.each('sentences', segments)) {
    sentences.push(written.entry)
    for (const [wordId, forms] of written.heard)
      heard.set(wordId, forms.union(heard.get(wordId) ?? new Set()))
  }
  const byName = (a: SegmentEntry, b: SegmentEntry) =>
    a.language === b.language ? a.firstOrdinal - b.firstOrdinal : a.language < b.language ? -1 : 1
  return { sentences: sentences.sort(byName), heard }
}
