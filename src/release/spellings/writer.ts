import { spellingFold } from '#language/spelling-fold.ts'
import { codeNumber, writeTable } from '../table-file.ts'
import { isShownFirst, tableName } from './layout.ts'

/** A word with its other spellings. */
export interface SpelledWord {
  row: number
  spellings: Iterable<string>
}

interface Entry {
  key: Buffer
  shown: Buffer
  row: number
}

const nothing = Buffer.alloc(0)

/**
 * The table of other spellings, as pieces of its file. `languages` are those of the table of words,
 * in order.
 */
export function writeSpellingsTable(
  languages: Iterable<{ language: string; words: Iterable<SpelledWord> }>,
): Uint8Array[] {
  const entries: Entry[] = []
  const starts: number[] = []
  for (const { language, words } of languages) {
    starts.push(codeNumber(language), entries.length)
    for (const entry of entriesOf(words, language)) entries.push(entry)
  }
  return writeTable(tableName, {
    languages: Uint32Array.from(starts),
    keyAt: offsetsOf(entries.map(({ key }) => key)),
    keys: new Uint8Array(Buffer.concat(entries.map(({ key }) => key))),
    shownAt: offsetsOf(entries.map(({ shown }) => shown)),
    shown: new Uint8Array(Buffer.concat(entries.map(({ shown }) => shown))),
    rows: Uint32Array.from(entries, ({ row }) => row),
  })
}

function entriesOf(words: Iterable<SpelledWord>, language: string): Entry[] {
  const entries: Entry[] = []
  for (const { row, spellings } of words) {
    for (const [key, spelling] of bestByKey(spellings, language)) {
      entries.push({ key: Buffer.from(key), shown: spelling === key ? nothing : Buffer.from(spelling), row })
    }
  }
  return entries.sort((a, b) => a.key.compare(b.key) || a.row - b.row)
}

/** By key, the spelling to show: the shorter, then the first by code point. */
function bestByKey(spellings: Iterable<string>, language: string): Map<string, string> {
  const best = new Map<string, string>()
  for (const spelling of spellings) {
    const key = spellingFold(spelling, language)
    if (key === '') continue
    const known = best.get(key)
    if (known === undefined || isShownFirst(spelling, known)) best.set(key, spelling)
  }
  return best
}

function offsetsOf(texts: readonly Buffer[]): Uint32Array<ArrayBuffer> {
  const offsets = new Uint32Array(texts.length + 1)
  for (const [i, text] of texts.entries()) offsets[i + 1] = offsets[i]! + text.length
  return offsets
}
