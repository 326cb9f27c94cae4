import { isPlain } from '#language/lower-case.ts'
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
  /** In UTF-8, a character for each byte: such strings are sorted faster than buffers. */
  key: string
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
  const headwords: string[] = []
  for (const { language, words } of languages) {
    starts.push(codeNumber(language), headwords.length, entries.length)
    for (const entry of entriesOf(words, headwords.length, language)) entries.push(entry)
    // A NUL would end the word. No query can hold one, so a space does as well.
    for (const { headword } of words)
      headwords.push(toBinary(`${searchFold(headword, language).replaceAll('\0', ' ')}\0`))
  }
  const keys = entries.map(({ key }) => key)
  const shown = entries.map((entry) => toBinary(entry.shown)).map((text, i) => (text === keys[i] ? '' : text))
  return writeTable(tableName, {
    languages: Uint32Array.from(starts),
    headwordAt: offsetsOf(headwords),
    headwords: Buffer.from(headwords.join(''), 'latin1'),
    keyAt: offsetsOf(keys),
    keys: Buffer.from(keys.join(''), 'latin1'),
    shownAt: offsetsOf(shown),
    shown: Buffer.from(shown.join(''), 'latin1'),
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
        if (key !== '') entries.push({ key: toBinary(key), shown, row, bits })
        if (bare !== key && bare !== '')
          entries.push({ key: toBinary(bare), shown, row, bits: bits + bareBit })
      }
    }
  }
  return entries.sort((a, b) => (a.key === b.key ? a.row - b.row : a.key < b.key ? -1 : 1))
}

function toBinary(text: string): string {
  return isPlain(text) ? text : Buffer.from(text).toString('latin1')
}

function offsetsOf(texts: readonly string[]): Uint32Array<ArrayBuffer> {
  const offsets = new Uint32Array(texts.length + 1)
  for (const [i, text] of texts.entries()) offsets[i + 1] = offsets[i]! + text.length
  return offsets
}
