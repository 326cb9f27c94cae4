/** The layout of `spellings.bin` (FORMAT.md), shared by the writer and the reader. */

export const tableName = 'spellings'
export const columns = {
  /** A `SpelledLanguage` for each. */
  languages: 'json',
  headwords: 'texts',
  keys: 'texts',
  shown: 'texts',
  rows: 'u32',
  flags: 'u8',
} as const
/** The texts that may stay on disk: those for the content of a response. */
export const diskColumns = ['shown'] as const

/** The rows and the entries of a language. */
export interface SpelledLanguage {
  first: number
  end: number
  firstEntry: number
  endEntry: number
}

/** The flag of an entry whose spelling is the headword. */
export const isHeadword = 1
/** The flag of a key without the punctuation of its spelling, which searches do not match. */
export const isBare = 2
