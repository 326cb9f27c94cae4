import { isPlain } from '#language/lower-case.ts'
import { bareSpelling, searchFold, spellingFolds } from '#language/folds.ts'
import { writeTable } from '../table-file.ts'
import { columns, isBare, isHeadword, tableName, type SpelledLanguage } from './layout.ts'

export interface SpelledWord {
  headword: string
  spellings: Iterable<string>
}

interface Entry {
  /** One character for each byte of UTF-8: such strings can be sorted faster than buffers. */
  key: string
  spelling: string
  row: number
  flags: number
}

/**
 * Returns the bytes of the table of spellings, in pieces that can be read once. Languages and words
 * are in the order of the table of words.
 */
export function writeSpellingsTable(
  spelledWords: Iterable<{ language: string; words: readonly SpelledWord[] }>,
): Generator<Uint8Array> {
  const entries: Entry[] = []
  const headwords: string[] = []
  const languages: Record<string, SpelledLanguage> = {}
  for (const { language, words } of spelledWords) {
    const [first, firstEntry] = [headwords.length, entries.length]
    for (const entry of entriesOf(words, first, language)) entries.push(entry)
    // A NUL would end the word. No query can contain one, so a space serves as well.
    for (const { headword } of words)
      headwords.push(`${searchFold(headword, language).replaceAll('\0', ' ')}\0`)
    languages[language] = { first, end: headwords.length, firstEntry, endEntry: entries.length }
  }
  return writeTable(tableName, columns, {
    languages,
    headwords,
    keys: entries.map(({ key }) => Buffer.from(key, 'latin1')),
    shown: entries.map(({ key, spelling }) => (toBinary(spelling) === key ? '' : spelling)),
    rows: entries.map(({ row }) => row),
    flags: Uint8Array.from(entries, ({ flags }) => flags),
  })
}

function entriesOf(words: readonly SpelledWord[], firstRow: number, language: string): Entry[] {
  const entries: Entry[] = []
  for (const [i, { headword, spellings }] of words.entries()) {
    const row = firstRow + i
    for (const spelling of new Set([headword, ...spellings])) {
      const flags = spelling === headword ? isHeadword : 0
      for (const key of spellingFolds(spelling, language)) {
        const bare = bareSpelling(key)
        if (key !== '') entries.push({ key: toBinary(key), spelling, row, flags })
        if (bare !== key && bare !== '')
          entries.push({ key: toBinary(bare), spelling, row, flags: flags | isBare })
      }
    }
  }
  return entries.sort((a, b) => (a.key === b.key ? a.row - b.row : a.key < b.key ? -1 : 1))
}

function toBinary(text: string): string {
  return isPlain(text) ? text : Buffer.from(text).toString('latin1')
}
