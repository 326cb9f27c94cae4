/** The layout of `spellings.bin` (FORMAT.md), written once for the writer and the reader. */

export const tableName = 'spellings'
export const columns = {
  /** Of each: its first row, and its first entry. */
  languages: 'u32',
  headwords: 'texts',
  keys: 'texts',
  shown: 'texts',
  rows: 'u32',
} as const

/** The lower bits of an element of `rows` are the row. */
export const rowBits = 30
/** The bit of an entry whose spelling is the headword. */
export const headwordBit = 2 ** 31
/**
 * The bit of an entry whose key lacks punctuation that the spelling has: it is no match in a
 * search.
 */
export const bareBit = 2 ** 30
