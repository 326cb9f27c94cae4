import { spellingFold } from '#language/spelling-fold.ts'
import { codeNumber, writeTable } from '../table-file.ts'
import { isShownFirst, maxShared, tableName } from './layout.ts'

/** A word with its other spellings. */
export interface SpelledWord {
  row: number
  /** The headword as search folds it. */
  folded: string
  spellings: Iterable<string>
}

interface Entry {
  key: Buffer
  shown: Buffer
  row: number
  shared: number
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
    shared: Uint8Array.from(entries, ({ shared }) => shared),
  })
}

function entriesOf(words: Iterable<SpelledWord>, language: string): Entry[] {
  const entries: Entry[] = []
  for (const { row, folded, spellings } of words) {
    const headword = Buffer.from(folded)
    for (const [text, spelling] of bestByKey(spellings, language)) {
      const key = Buffer.from(text)
      const shown = spelling === text ? nothing : Buffer.from(spelling)
      entries.push({ key, shown, row, shared: sharedLength(key, headword) })
    }
  }
  return entries.sort((a, b) => a.key.compare(b.key) || a.row - b.row)
}

/** How many bytes two texts share at their beginnings, at most `maxShared`. */
function sharedLength(one: Buffer, other: Buffer): number {
  const end = Math.min(one.length, other.length, maxShared)
  let at = 0
  while (at < end && one[at] === other[at]) at++
  return at
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
