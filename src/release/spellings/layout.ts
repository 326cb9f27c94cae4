/** The layout of `spellings.bin` (FORMAT.md), written once for the writer and the reader. */

export const tableName = 'spellings'
/** How many numbers `languages` has for each: code, first row, first entry. */
export const languageNumbers = 3

/** The lower bits of an element of `rows` are the row. */
export const rowBits = 30
/** The bit of an entry whose spelling is the headword. */
export const headwordBit = 2 ** 31
/**
 * The bit of an entry whose key lacks punctuation that the spelling has: it is no match in a
 * search.
 */
export const bareBit = 2 ** 30
