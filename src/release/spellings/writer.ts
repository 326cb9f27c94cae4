import { isPlain } from '#language/lower-case.ts'
import { searchFold } from '#language/search-fold.ts'
import { bareSpelling, spellingFolds } from '#language/spelling-fold.ts'
import { packLanguages, writeTable, type LanguageNumbers } from '../table-file.ts'
import { bareBit, columns, headwordBit, tableName } from './layout.ts'

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
  const starts: LanguageNumbers[] = []
  const headwords: string[] = []
  for (const { language, words } of languages) {
    starts.push([language, headwords.length, entries.length])
    for (const entry of entriesOf(words, headwords.length, language)) entries.push(entry)
    // A NUL would end the word. No query can hold one, so a space does as well.
    for (const { headword } of words)
      headwords.push(`${searchFold(headword, language).replaceAll('\0', ' ')}\0`)
  }
  return writeTable(tableName, columns, {
    languages: packLanguages(starts),
    headwords,
    keys: entries.map(({ key }) => Buffer.from(key, 'latin1')),
    shown: entries.map(({ key, shown }) => (toBinary(shown) === key ? '' : shown)),
    rows: entries.map(({ row, bits }) => row + bits),
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
