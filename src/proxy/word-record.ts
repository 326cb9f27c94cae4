import type { Gloss } from '#contract/glosses.ts'
import type { WordTable } from '#release/words/reader.ts'

/** The JSON of a catalogue word as the API shows it, with the meaning in a gloss. */
export function wordRecord(words: WordTable, row: number, gloss: Gloss): string {
  return `${words.shown(row, gloss)},"clipCount":${words.clipCount(row)}}`
}
