import type { Gloss } from '#contract/glosses.ts'
import type { ByteWriter } from '#kit/byte-writer.ts'
import type { WordTable } from '#release/word-table.ts'

const clipCount = Buffer.from(',"clipCount":')
const closeBrace = 125

/** Appends the JSON of a catalogue word as the API shows it, in the gloss asked for. */
export function writeWord(words: WordTable, row: number, gloss: Gloss, out: ByteWriter): void {
  words.writeWord(row, gloss, out)
  out.copy(clipCount)
  out.digits(words.clipCount(row))
  out.byte(closeBrace)
}
