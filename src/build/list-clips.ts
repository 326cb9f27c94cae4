import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { levels } from '#contract/levels.ts'
import type { ByteWriter } from '#kit/byte-writer.ts'
import { wordClipsPath } from '#release/paths.ts'
import { WordListWriter } from '#release/lists/writer.ts'
import { levelRankOf } from '#rendering/word-clips.ts'
import { moveFile, writeWithFolder } from './write-file.ts'
import { inOneOrder, inOrderOfEase, type Item } from './item-order.ts'
import { itemsBefore, laterItems } from './items-before.ts'
import type { ListedWord, WrittenSegment } from './tasks.ts'

/**
 * Makes a segment of the list of a word's clips out of the list before and the items that came, and
 * publishes its pages: the base, which is then the whole list; or where the list is amended only
 * what is later than its base. Gives null where no item is left.
 *
 * The items before are copied as bytes: of each only the few numbers that it is sorted by are read.
 * Pages are put together in `pageMemory`, which many lists may share.
 *
 * @throws {CorruptList} the list before is not what it should be
 */
export function listClips(
  word: ListedWord,
  came: Item[],
  { outFolder, workFolder }: { outFolder: string; workFolder: string },
  pageMemory?: ByteWriter,
): WrittenSegment | null {
  const { wordId, language, before, isAmended, removed } = word
  const read = isAmended ? laterItems : itemsBefore
  const old = before ? read(outFolder, word, before) : []
  const gone = new Set(removed)
  const items = inOneOrder(
    gone.size === 0 ? old : old.filter((item) => !gone.has(item.clipId())),
    inOrderOfEase(came),
  )
  if (items.length === 0) return null
  const pages: string[] = []
  const putAside = (bytes: Buffer) => {
    pages.push(asidePage(workFolder, pages.length + 1))
    writeWithFolder(pages.at(-1)!, bytes)
  }
  const writer = new WordListWriter({ wordId, language }, items.length, putAside, pageMemory)
  const clipsByLevel = levels.map(() => 0)
  for (const item of items) {
    writer.add(item)
    clipsByLevel[levelRankOf(item.hardness)]! += 1
  }
  const segment = writer.finish()
  for (const [i, aside] of pages.entries()) {
    // Over one of this name, if there is one: it has the same bytes, unless it was damaged.
    moveFile(aside, join(outFolder, wordClipsPath(language, wordId, segment.digest, i + 1)))
  }
  return { ...segment, clipsByLevel }
}

/** Where a page lies until the name of its segment is known. */
function asidePage(workFolder: string, page: number): string {
  return `${workFolder}/page-${threadId}.${page}`
}
