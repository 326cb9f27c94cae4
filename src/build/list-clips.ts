import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { levels } from '#contract/levels.ts'
import type { ByteWriter } from '#kit/byte-writer.ts'
import { wordClipsPath } from '#release/paths.ts'
import { WordListWriter } from '#release/lists/writer.ts'
import { levelRankOf } from '#rendering/word-clips.ts'
import { moveFile, writeWithFolder } from './write-file.ts'
import { byPlace, mergeSorted, type ListItem } from './list-item.ts'
import { previousItems, laterItems } from './previous-items.ts'
import type { ListedWord, WrittenSegment } from './tasks.ts'

/**
 * Writes a segment of the list of a word's clips from its previous list and the items that are
 * added: the base, which is then the whole list, or if the list is amended only its later items.
 * Returns null if no item is left.
 *
 * The previous items are copied as bytes; only the numbers that they are sorted by are parsed.
 * Pages are built in `pageMemory`, which many lists may share.
 *
 * @throws {CorruptList} the previous list is damaged
 */
export function listClips(
  word: ListedWord,
  added: ListItem[],
  { outFolder, workFolder }: { outFolder: string; workFolder: string },
  pageMemory?: ByteWriter,
): WrittenSegment | null {
  const { wordId, language, before, isAmended, removed } = word
  const read = isAmended ? laterItems : previousItems
  const old = before ? read(outFolder, word, before) : []
  const gone = new Set(removed)
  const items = mergeSorted(
    gone.size === 0 ? old : old.filter((item) => !gone.has(item.clipId())),
    added.toSorted(byPlace),
  )
  if (items.length === 0) return null
  // Where the pages are until the name of their segment is known.
  const pages: string[] = []
  const putAside = (bytes: Buffer) => {
    const aside = `${workFolder}/page-${threadId}.${pages.length + 1}`
    pages.push(aside)
    writeWithFolder(aside, bytes)
  }
  const writer = new WordListWriter({ wordId, language }, items.length, putAside, pageMemory)
  const clipsByLevel = levels.map(() => 0)
  for (const item of items) {
    writer.add(item)
    clipsByLevel[levelRankOf(item.sortKey)]! += 1
  }
  const segment = writer.finish()
  for (const [i, aside] of pages.entries()) {
    // A file of this name may exist. It has the same bytes, unless it was damaged.
    moveFile(aside, join(outFolder, wordClipsPath(language, wordId, segment.digest, i + 1)))
  }
  return { ...segment, clipsByLevel }
}
