import { join } from 'node:path'
import { levels } from '#contract/levels.ts'
import { sha256 } from '#kit/digest.ts'
import { wordClipsPath } from '#release/paths.ts'
import type { ClipList, ListPage } from '#release/words/layout.ts'
import { endsPage, itemSeparator, pageEnd, pageStart } from '#release/words/pages.ts'
import { levelRankOf } from '#rendering/word-clips.ts'
import { clipIdOf, compareItems, type SpooledItem } from './item-spool.ts'
import { writeMissing } from './write-file.ts'

const [separator, end] = [Buffer.from(itemSeparator), Buffer.from(pageEnd)]
/** The bytes of a digest in the table of words, and of one in the name of a page. */
const [digestBytes, nameBytes] = [12, 8]

/** Makes the list of a word's clips. Writes those pages of it that are not there yet. */
export function listWord(
  { wordId, language }: { wordId: number; language: string },
  items: SpooledItem[],
  { outFolder, workFolder }: { outFolder: string; workFolder: string },
): ClipList {
  const start = Buffer.from(pageStart(wordId, language))
  const clipsByLevel = levels.map(() => 0)
  const pages: ListPage[] = []
  let pieces: Buffer[] = [start]
  let [count, sizeBytes] = [0, 0]
  for (const [i, item] of items.sort(compareItems).entries()) {
    clipsByLevel[levelRankOf(item.sortKey)]!++
    if (count++ > 0) pieces.push(separator)
    pieces.push(item.bytes.subarray(item.from, item.to))
    sizeBytes += item.to - item.from
    if (i < items.length - 1 && !endsPage(clipIdOf(item), count, sizeBytes)) continue
    const page = Buffer.concat([...pieces, end])
    const digest = sha256(page)
    const path = join(outFolder, wordClipsPath(language, wordId, digest.toString('hex', 0, nameBytes)))
    writeMissing(workFolder, path, page)
    pages.push({ count, digest: digest.toString('base64url', 0, digestBytes) })
    pieces = [start]
    ;[count, sizeBytes] = [0, 0]
  }
  return { clipsByLevel, pages }
}
