import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { levels } from '#contract/levels.ts'
import type { ByteWriter } from '#kit/byte-writer.ts'
import { wordClipsPath } from '#release/paths.ts'
import { WordListWriter } from '#release/lists/writer.ts'
import { levelRankOf } from '#rendering/word-clips.ts'
import { moveFile, writeWithFolder } from './write-file.ts'
import type { ListItems } from './list-items.ts'
import { addLaterItems, addPreviousItems } from './previous-items.ts'
import type { ListedWord, WrittenSegment } from './tasks.ts'

/**
 * Writes a segment of the list of a word's clips. `items` are those that were added. Those of the
 * previous list that stay are added to them: all of them, or if the list is amended, only its later
 * items, because its base stays. Returns null if no item is left.
 *
 * Pages are built in `pageMemory`, which many lists may share.
 *
 * @throws {CorruptList} the previous list is damaged
 */
export function listClips(
  word: ListedWord,
  items: ListItems,
  { outFolder, workFolder }: { outFolder: string; workFolder: string },
  pageMemory?: ByteWriter,
): WrittenSegment | null {
  const { wordId, language, before, isAmended } = word
  if (before) (isAmended ? addLaterItems : addPreviousItems)(items, outFolder, word, before)
  if (items.count === 0) return null
  // Where the pages are until the name of their segment is known.
  const pages: string[] = []
  const putAside = (bytes: Buffer) => {
    const aside = `${workFolder}/page-${threadId}.${pages.length + 1}`
    pages.push(aside)
    writeWithFolder(aside, bytes)
  }
  const writer = new WordListWriter({ wordId, language }, items.count, putAside, pageMemory)
  const clipsByLevel = levels.map(() => 0)
  for (const number of items.sorted()) {
    writer.add((out) => items.writeTo(out, number))
    clipsByLevel[levelRankOf(items.sortKey(number))]! += 1
  }
  const segment = writer.finish()
  for (const [i, aside] of pages.entries()) {
    // A file of this name may exist. It has the same bytes, unless it was damaged.
    moveFile(aside, join(outFolder, wordClipsPath(language, wordId, segment.digest, i + 1)))
  }
  return { ...segment, clipsByLevel }
}
