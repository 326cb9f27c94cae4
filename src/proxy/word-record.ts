import type { Gloss } from '#contract/glosses.ts'
import type { ByteWriter } from '#kit/byte-writer.ts'
import type { WordTable } from '#release/word-table.ts'

const beforeCount = Buffer.from(',"clipCount":')
const brace = 125

/** Appends the JSON of a catalogue word as the API shows it, in the gloss asked for. */
export function writeWordRecord(out: ByteWriter, words: WordTable, row: number, gloss: Gloss): void {
  words.writeJson(out, row, gloss)
  out.copy(beforeCount)
  out.decimal(words.clipCount(row))
  out.byte(brace)
}
