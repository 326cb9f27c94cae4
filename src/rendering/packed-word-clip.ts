import { levelRank, type Level } from '#contract/levels.ts'
import { occurrencesShown } from '#contract/word-clips.ts'
import type { Hit, TokenisedCue } from '#indexing/index-clip.ts'
import { ByteReader } from '#kit/byte-reader.ts'
import type { ByteWriter } from '#kit/byte-writer.ts'
import { isUnspaced } from '#language/unspaced.ts'
import { packUuid, uuidBytes, writeUuid } from '#kit/uuid.ts'
import { writeTimes, type CuesJson } from './cues-json.ts'
import { sortKeyOf } from './word-clips.ts'

/**
 * An item of a word→clips list (`ListedClip`) on its way from its clip to the list, in three
 * quarters of the bytes of its JSON: the clip id (16 bytes), the rank of the clip's level and
 * knownShare in hundredths (a byte each), occurrenceCount (varint), the length of the JSON that
 * follows (4 bytes), and that JSON, from the first occurrence to the end of the item.
 */

/** Packs the items of one clip. */
export class WordClipPacker {
  /** The id and the rank of the level. */
  readonly #clip: Buffer
  readonly #cues: readonly TokenisedCue[]
  readonly #json: CuesJson
  readonly #shares: readonly number[]
  readonly #separator: string

  /** `shares` is the result of `sharesByLevel`; `json` holds the cues. */
  constructor(
    clip: { clipId: string; language: string; level: Level },
    shares: readonly number[],
    cues: readonly TokenisedCue[],
    json: CuesJson,
  ) {
    this.#clip = Buffer.from([...packUuid(clip.clipId), levelRank(clip.level)])
    this.#cues = cues
    this.#json = json
    this.#shares = shares
    this.#separator = isUnspaced(clip.language) ? '' : ' '
  }

  /** Appends the item of a word of a level. `hits` are in time order. */
  pack(out: ByteWriter, wordLevel: Level, hits: readonly Hit[]): void {
    out.copy(this.#clip)
    out.byte(this.#shares[levelRank(wordLevel)]!)
    out.varint(hits.length)
    const lengthAt = out.length
    out.u32(0)
    const shown = Math.min(hits.length, occurrencesShown)
    for (let i = 0; i < shown; i++) {
      if (i > 0) out.byte(comma)
      this.#writeOccurrence(out, hits[i]!)
    }
    out.copy(endOfItem)
    out.bytes.writeUInt32LE(out.length - lengthAt - 4, lengthAt)
  }

  #writeOccurrence(out: ByteWriter, { tStart, tEnd, cue, start, length }: Hit): void {
    out.byte(openBrace)
    if (length === 1) this.#json.copyTimes(out, cue, start)
    else writeTimes(out, tStart, tEnd)
    out.copy(beforeForm)
    if (length === 1) this.#json.copyToken(out, cue, start)
    else out.json(this.#phrase(cue, start, length))
    out.copy(beforeText)
    this.#json.copyText(out, cue)
    out.byte(closeBrace)
  }

  #phrase(cue: number, start: number, length: number): string {
    const tokens = this.#cues[cue]!.tokens.slice(start, start + length)
    return tokens.map(({ text }) => text).join(this.#separator)
  }
}

const beforeForm = Buffer.from(',"form":')
const beforeText = Buffer.from(',"text":')
const endOfItem = Buffer.from(']}')
const comma = 44
const openBrace = 123
const closeBrace = 125

const beforeClip = Buffer.from('{"clip":"')
/** By knownShare in hundredths: what stands between the clip id and occurrenceCount. */
const beforeCounts = Array.from({ length: 101 }, (_, hundredths) =>
  Buffer.from(`","knownShare":${hundredths / 100},"occurrenceCount":`),
)
const beforeOccurrences = Buffer.from(',"occurrences":[')

/** Skips a packed item. Returns what it is sorted by. */
export function skipWordClip(packed: ByteReader<Buffer>): { sortKey: number; tie: number } {
  const tie = packed.bytes.readUIntBE(packed.at, 6)
  packed.at += uuidBytes
  const rank = packed.byte()
  const knownShare = packed.byte() / 100
  const occurrenceCount = packed.varint()
  const length = packed.u32()
  packed.at += length
  return { sortKey: sortKeyOf(rank, { knownShare, occurrenceCount }), tie }
}

/** Appends the JSON of the item packed at `bytes[from]`. */
export function unpackWordClip(bytes: Buffer, from: number, out: ByteWriter): void {
  const packed = new ByteReader(bytes)
  packed.at = from + uuidBytes + 1
  out.copy(beforeClip)
  writeUuid(out, bytes, from)
  out.copy(beforeCounts[packed.byte()]!)
  out.decimal(packed.varint())
  out.copy(beforeOccurrences)
  const length = packed.u32()
  out.copy(bytes, packed.at, packed.at + length)
}
