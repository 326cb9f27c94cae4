import { searchFold } from '#language/search-fold.ts'
import { bareSpelling, spellingFolds } from '#language/spelling-fold.ts'
import { codeNumber, writeTable } from '../table-file.ts'
import { bareBit, headwordBit, tableName } from './layout.ts'

/** A word with its other spellings. */
export interface SpelledWord {
  headword: string
  spellings: Iterable<string>
}

interface Entry {
  key: Buffer
  shown: string
  row: number
  bits: number
}

/**
 * The table of the spellings of words, as pieces of its file. Languages and words are in the order
 * of the table of words.
 */
export function writeSpellingsTable(
  languages: Iterable<{ language: string; words: readonly SpelledWord[] }>,
): Uint8Array[] {
  const entries: Entry[] = []
  const starts: number[] = []
  const headwords: Buffer[] = []
  for (const { language, words } of languages) {
    starts.push(codeNumber(language), headwords.length, entries.length)
    for (const entry of entriesOf(words, headwords.length, language)) entries.push(entry)
    // A NUL would end the word. No query can hold one, so a space does as well.
    for (const { headword } of words)
      headwords.push(Buffer.from(`${searchFold(headword, language).replaceAll('\0', ' ')}\0`))
  }
  const keys = entries.map(({ key }) => key)
  const shown = entries.map((entry) =>
    Buffer.from(entry.key.equals(Buffer.from(entry.shown)) ? '' : entry.shown),
  )
  return writeTable(tableName, {
    languages: Uint32Array.from(starts),
    headwordAt: offsetsOf(headwords),
    headwords: new Uint8Array(Buffer.concat(headwords)),
    keyAt: offsetsOf(keys),
    keys: new Uint8Array(Buffer.concat(keys)),
    shownAt: offsetsOf(shown),
    shown: new Uint8Array(Buffer.concat(shown)),
    rows: Uint32Array.from(entries, ({ row, bits }) => row + bits),
  })
}

function entriesOf(words: readonly SpelledWord[], firstRow: number, language: string): Entry[] {
  const entries: Entry[] = []
  for (const [i, { headword, spellings }] of words.entries()) {
    const row = firstRow + i
    for (const shown of new Set([headword, ...spellings])) {
      const bits = shown === headword ? headwordBit : 0
      for (const key of spellingFolds(shown, language)) {
        const bare = bareSpelling(key)
        if (key !== '') entries.push({ key: Buffer.from(key), shown, row, bits })
        if (bare !== key && bare !== '')
          entries.push({ key: Buffer.from(bare), shown, row, bits: bits + bareBit })
      }
    }
  }
  return entries.sort((a, b) => a.key.compare(b.key) || a.row - b.row)
}

function offsetsOf(texts: readonly Buffer[]): Uint32Array<ArrayBuffer> {
  const offsets = new Uint32Array(texts.length + 1)
  for (const [i, text] of texts.entries()) offsets[i + 1] = offsets[i]! + text.length
  return offsets
}
