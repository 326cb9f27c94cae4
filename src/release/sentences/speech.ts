import type { ByteReader } from '#kit/byte-reader.ts'
import { ByteWriter } from '#kit/byte-writer.ts'

/**
 * The speech of a clip, as far as sentence search needs it (FORMAT.md, "Sentences").
 *
 * Tokens are numbered across all cues. The position of a token in the clip is its number plus the
 * number of sentences that end before it. Tokens of two sentences therefore never have neighbouring
 * positions, so a run of neighbouring positions lies within a sentence.
 */
export interface Speech {
  /** Whether the tokens are in time order. They may not be if cues overlap. */
  isInTimeOrder: boolean
  /** Where the first cue begins in the file of the transcript, in bytes. */
  firstCueAt: number
  /** One byte separates two cues. */
  cues: { sizeBytes: number; tokenCount: number }[]
  /** The numbers of the tokens that begin a sentence, except for the first token. */
  sentenceStarts: number[]
}

/** The speech of a clip and its tokens in bytes, which can be sent between threads. */
export type PackedSpeech = Uint8Array

/** Reused, because making a writer takes as long as writing to it. */
const [packed, block] = [new ByteWriter(), new ByteWriter()]

/** Packs the block of a clip, followed by the folded text of each token. */
export function packSpeech(speech: Speech, tokens: readonly string[]): PackedSpeech {
  block.clear()
  writeSpeech(block, speech)
  packed.clear()
  packed.varint(block.length)
  packed.appendFrom(block, 0, block.length)
  packed.varint(tokens.length)
  for (const token of tokens) packed.countedText(token)
  return new Uint8Array(packed.view())
}

function writeSpeech(out: ByteWriter, { isInTimeOrder, firstCueAt, cues, sentenceStarts }: Speech): void {
  out.varint(firstCueAt * 2 + Number(isInTimeOrder))
  out.varint(cues.length)
  for (const { sizeBytes, tokenCount } of cues) {
    out.varint(sizeBytes)
    out.varint(tokenCount)
  }
  let before = 0
  out.varint(sentenceStarts.length)
  for (const start of sentenceStarts) {
    out.varint(start - before)
    before = start
  }
}

/** Reads a block. */
export function readSpeech(reader: ByteReader): Speech {
  const head = reader.varint()
  const cues = Array.from({ length: reader.varint() }, () => ({
    sizeBytes: reader.varint(),
    tokenCount: reader.varint(),
  }))
  let start = 0
  const sentenceStarts = Array.from({ length: reader.varint() }, () => (start += reader.varint()))
  return { isInTimeOrder: head % 2 === 1, firstCueAt: Math.floor(head / 2), cues, sentenceStarts }
}

/** The number of the token at a position in the clip. */
export function tokenAt(position: number, { sentenceStarts }: Speech): number {
  let token = position
  // The position of the i-th start is its number plus i + 1.
  for (const [i, start] of sentenceStarts.entries()) {
    if (start + i + 1 > position) break
    token--
  }
  return token
}
