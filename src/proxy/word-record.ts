import type { Gloss } from '#contract/glosses.ts'
import type { WordTable } from '#release/word-table.ts'

/** The JSON of a catalogue word as the API shows it, in the gloss asked for. */
export function wordRecord(words: WordTable, row: number, gloss: Gloss): string {
  return `${words.wordJson(row, gloss)},"clipCount":${words.clipCount(row)}}`
}
