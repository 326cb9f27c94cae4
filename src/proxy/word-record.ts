import type { Gloss } from '#contract/glosses.ts'
import { pieceOf, type ByteWriter } from '#kit/byte-writer.ts'
import { wordOpening } from '#release/words/entries.ts'
import type { WordTable } from '#release/words/reader.ts'

const beforeWord = pieceOf(wordOpening)
const beforeCount = pieceOf('","clipCount":')
const brace = 125

/** Appends the JSON of a catalogue word as the API shows it, with the meaning in a gloss. */
export function writeWordRecord(out: ByteWriter, words: WordTable, row: number, gloss: Gloss): void {
  out.piece(beforeWord)
  words.writeShown(out, row, gloss)
  out.piece(beforeCount)
  out.decimal(words.clipCount(row))
  out.byte(brace)
}
