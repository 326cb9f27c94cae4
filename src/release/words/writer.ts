import { levels } from '#contract/levels.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { sortPairs } from '#kit/sort-pairs.ts'
import { codeNumber, writeTable } from '../table-file.ts'
import { ClipListsWriter } from './clip-lists-writer.ts'
import { glossBytes, writeEntry } from './entries.ts'
import { tableName, type WordRow } from './layout.ts'

/** The pieces of the file. `wordAt` returns the words in the order of `byRow`. */
export function writeWordTable(count: number, wordAt: (row: number) => WordRow): Uint8Array[] {
  const wordIds = new GrowingUint32Array()
  const wordLevels = new Uint8Array(count)
  const entryAt = new Uint32Array(count + 1)
  const entries = new ByteWriter(count * 64)
  const languages: number[] = []
  let language = ''
  const lists = new ClipListsWriter()
  for (let row = 0; row < count; row++) {
    const word = wordAt(row)
    if (word.language !== language) {
      language = word.language
      languages.push(codeNumber(language), row, row, lists.count)
    }
    wordIds.push(row)
    wordIds.push(word.wordId)
    wordLevels[row] = levels.indexOf(word.level)
    entryAt[row] = entries.length
    writeEntry(entries, word)
    if (!word.list) continue
    languages[languages.length - 2] = row + 1
    lists.add(word.list)
  }
  entryAt[count] = entries.length
  const [sortedIds, byWordId] = sortPairs(wordIds.view())
  return writeTable(tableName, {
    languages: Uint32Array.from(languages),
    wordIds: sortedIds,
    byWordId,
    levels: wordLevels,
    glosses: glossBytes(),
    entryAt,
    entries: entries.view(),
    ...lists.sections(),
  })
}
