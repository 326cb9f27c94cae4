import type { FeedClip } from '#contract/clip.ts'
import { bands, levelRank, levels, type Level } from '#contract/levels.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { bytesHash, textHash } from '#kit/text-hash.ts'
import { buildSlots, findInSlots } from './hash-slots.ts'
import { clipPath, transcriptPath } from './paths.ts'
import { codeNumber, codeOfNumber, openTable, writeTable } from './table-file.ts'

/** The table of the clips of a release, written and opened (FORMAT.md, "clips.bin"). */

/** A file under `data/`: its name, and the digest of its bytes, which is also its entity tag. */
export interface DataFile {
  path: string
  digest: string
}

/** A clip of the release, taken out of the table whole. */
export interface ClipRow {
  /** Fixed for ever within the language: what the feed's order is made over. */
  ordinal: number
  clip: FeedClip
  record: DataFile
  transcript: DataFile
  /** By band, A2 to C2: the row of the word in the table of words, and where it is first said, in seconds. */
  focus: ([wordRow: number, tStart: number] | null)[]
}

/** A clip as it goes into the table and comes out of it. */
export interface ClipEntry {
  clipId: string
  videoId: string
  language: string
  level: Level
  /** The JSON text of the clip as lists show it. */
  json: string
  ordinal: number
  /** Which of its records is published, from 1. */
  revision: number
  /** Of the record and of the transcript: 96 bits, base64url. */
  recordDigest: string
  transcriptDigest: string
}

/** A focus word on its way into the table: its row there, and milliseconds. */
export type Focus = { wordRow: number; tStartMs: number } | null

const none = 0xffffffff
const digestBytes = 12
/** Of a record before its text, in 32-bit words: length of the text, length of the video id and level, tail, then word and time for every band. */
const fixedWords = 3 + 2 * 5
/** Stands in a tail for the video id. JSON never holds it raw. */
const videoMark = '\0'

/** Puts the table together clip by clip; memory holds bytes, not objects. */
export class ClipTableWriter {
  readonly #languages: string[] = []
  /** By clip as added: language, ordinal, revision, level, tail, start of its text, length of its video id. */
  readonly #columns = Array.from({ length: 7 }, () => new GrowingUint32Array())
  readonly #ids = new ByteWriter()
  readonly #digests = new ByteWriter()
  readonly #texts = new ByteWriter()
  readonly #tails = new ByteWriter()
  readonly #tailAt = new GrowingUint32Array()
  readonly #tailNumbers = new Map<string, number>()

  get count(): number {
    return this.#columns[0]!.length
  }

  /** Adds a clip; gives the number by which `focusOf` will be asked for it. */
  add({
    clipId,
    videoId,
    language,
    level,
    json,
    ordinal,
    revision,
    recordDigest,
    transcriptDigest,
  }: ClipEntry): number {
    const { text, tail } = cutJson(json, videoId)
    const row = [
      this.#languageNumber(language),
      ordinal,
      revision,
      levelRank(level),
      this.#tailNumber(tail),
      this.#texts.length,
      videoId.length,
    ]
    for (const [i, value] of row.entries()) this.#columns[i]!.push(value)
    this.#ids.copy(Buffer.from(clipId.replaceAll('-', ''), 'hex'))
    for (const digest of [recordDigest, transcriptDigest]) this.#digests.copy(digestOf(digest))
    this.#texts.text(text)
    return this.count - 1
  }

  /** The pieces of the file. `ordinals` tells by language how many were ever given; `focusOf` the focus words by clip as added and band. */
  finish(
    ordinals: Readonly<Record<string, number>>,
    focusOf: (added: number, band: number) => Focus,
  ): Uint8Array[] {
    const codes = Object.keys(ordinals).sort()
    const bases = new Map<string, number>()
    let rowCount = 0
    for (const code of codes) {
      bases.set(code, rowCount)
      rowCount += ordinals[code]!
    }
    const rowOf = (added: number) =>
      bases.get(this.#languages[this.#columns[0]!.at(added)]!)! + this.#columns[1]!.at(added)
    const addedAt = new Uint32Array(rowCount).fill(none)
    for (let added = 0; added < this.count; added++) addedAt[rowOf(added)] = added

    const revisions = new Uint32Array(rowCount)
    const ids = new Uint8Array(rowCount * 16)
    const digests = new Uint8Array(rowCount * 2 * digestBytes)
    const recordAt = new Uint32Array(rowCount).fill(none)
    const records = new ByteWriter(this.#texts.length + this.count * (fixedWords * 4 + 2))
    for (let row = 0; row < rowCount; row++) {
      const added = addedAt[row]!
      if (added === none) continue
      revisions[row] = this.#columns[2]!.at(added)
      ids.set(this.#ids.bytes.subarray(added * 16, added * 16 + 16), row * 16)
      const size = 2 * digestBytes
      digests.set(this.#digests.bytes.subarray(added * size, added * size + size), row * size)
      recordAt[row] = records.length / 4
      this.#writeRecord(records, added, focusOf)
    }
    const live = () => addedAt.keys().filter((row) => addedAt[row] !== none)
    this.#tailAt.push(this.#tails.length)
    return writeTable('clips', {
      languages: Uint32Array.from(
        codes.flatMap((code) => [codeNumber(code), bases.get(code)!, ordinals[code]!]),
      ),
      revisions,
      ids,
      digests,
      recordAt,
      records: records.view(),
      tailAt: this.#tailAt.view(),
      tails: this.#tails.view(),
      byId: buildSlots(live(), this.count, (row) => bytesHash(ids, row * 16, row * 16 + 16)),
      byVideo: buildSlots(live(), this.count, (row) => {
        const added = addedAt[row]!
        const from = this.#columns[5]!.at(added) + beforeVideo
        return bytesHash(this.#texts.bytes, from, from + this.#columns[6]!.at(added))
      }),
    })
  }

  #writeRecord(records: ByteWriter, added: number, focusOf: (added: number, band: number) => Focus): void {
    const [, , , level, tail, from, videoLength] = this.#columns.map((column) => column.at(added))
    const to = added + 1 < this.count ? this.#columns[5]!.at(added + 1) : this.#texts.length
    const fixed = Buffer.alloc(fixedWords * 4)
    fixed.writeUInt32LE(to - from!, 0)
    fixed.writeUInt32LE(videoLength! | (level! << 8), 4)
    fixed.writeUInt32LE(tail!, 8)
    for (let band = 0; band < bands.length; band++) {
      const focus = focusOf(added, band)
      fixed.writeUInt32LE(focus ? focus.wordRow : none, 12 + band * 8)
      fixed.writeUInt32LE(focus ? focus.tStartMs : 0, 16 + band * 8)
    }
    records.copy(fixed)
    records.copy(this.#texts.bytes, from, to)
    records.align(4)
  }

  #languageNumber(language: string): number {
    const known = this.#languages.indexOf(language)
    return known >= 0 ? known : this.#languages.push(language) - 1
  }

  #tailNumber(tail: string): number {
    let number = this.#tailNumbers.get(tail)
    if (number === undefined) {
      this.#tailNumbers.set(tail, (number = this.#tailNumbers.size))
      this.#tailAt.push(this.#tails.length)
      this.#tails.text(tail)
    }
    return number
  }
}

const beforeId = '{"clipId":"'
const beforeVideo = '","videoId":"'.length

/**
 * The JSON of a clip cut in two behind its id: the text that is its own, up to the length, and the tail, which the clips of a channel have in
 * common once the video id is taken out of the addresses. A million clips then take 120 bytes each and not 360.
 */
function cutJson(json: string, videoId: string): { text: string; tail: string } {
  const start = beforeId.length + 36
  const channel = json.indexOf('"channel":', start)
  // A title may hold `"channel":` only with its quotes escaped, so the first is the field.
  return {
    text: json.slice(start, channel),
    tail: json.slice(channel).replaceAll(videoId, videoMark),
  }
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
/** How many tails are kept cut. */
const mostCutTails = 20_000

/** The clips of a release: look-ups over typed arrays. Rows are numbers: languages by code, each with its ordinals from 0. */
export class ClipTable {
  readonly #revisions: Uint32Array
  readonly #ids: Uint8Array
  readonly #digests: Buffer
  readonly #recordAt: Uint32Array
  readonly #records: Buffer
  readonly #recordWords: Uint32Array
  readonly #tailAt: Uint32Array
  readonly #tails: Buffer
  readonly #cutTails = new Map<number, string[]>()
  readonly #byId: Uint32Array
  readonly #byVideo: Uint32Array
  readonly #languages = new Map<string, { base: number; domain: number }>()

  /** @throws {SyntaxError} when the bytes are no table of clips of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, 'clips', path)
    this.#revisions = sections.u32('revisions')
    this.#ids = sections.u8('ids')
    const digests = sections.u8('digests')
    this.#digests = Buffer.from(digests.buffer, digests.byteOffset, digests.length)
    this.#recordAt = sections.u32('recordAt')
    const records = sections.u8('records')
    this.#records = Buffer.from(records.buffer, records.byteOffset, records.length)
    this.#recordWords = new Uint32Array(records.buffer, records.byteOffset, records.length >> 2)
    this.#tailAt = sections.u32('tailAt')
    const tails = sections.u8('tails')
    this.#tails = Buffer.from(tails.buffer, tails.byteOffset, tails.length)
    this.#byId = sections.u32('byId')
    this.#byVideo = sections.u32('byVideo')
    const languages = sections.u32('languages')
    for (let i = 0; i < languages.length; i += 3) {
      this.#languages.set(codeOfNumber(languages[i]!), { base: languages[i + 1]!, domain: languages[i + 2]! })
    }
  }

  /** The languages that ordinals were ever given in. */
  get languages(): string[] {
    return [...this.#languages.keys()]
  }

  /** Where the rows of a language begin, and how many ordinals it has. */
  rangeOf(language: string): { base: number; domain: number } {
    return this.#languages.get(language) ?? { base: 0, domain: 0 }
  }

  /** The row of a clip by its id in any case, or by its video id; −1 where there is none. */
  find(id: string): number {
    const row = isUuid(id) ? this.#findId(id) : -1
    return row >= 0 ? row : this.#findVideo(id)
  }

  /** Whether the row holds a clip, not one withdrawn. */
  isLive(row: number): boolean {
    return this.#recordAt[row] !== none
  }

  /** Which of the clip's records is published. */
  revision(row: number): number {
    return this.#revisions[row]!
  }

  recordFile(row: number): DataFile {
    return { path: clipPath(this.clipId(row), this.#revisions[row]!), digest: this.#digest(row, 0) }
  }

  transcriptFile(row: number): DataFile {
    return { path: transcriptPath(this.clipId(row), this.#revisions[row]!), digest: this.#digest(row, 1) }
  }

  clipId(row: number): string {
    const ids = this.#ids
    const at = row * 16
    const two = (i: number) => hexPairs[ids[at + i]!]! + hexPairs[ids[at + i + 1]!]!
    return `${two(0)}${two(2)}-${two(4)}-${two(6)}-${two(8)}-${two(10)}${two(12)}${two(14)}`
  }

  /** The rank of its level, 0 for A1. */
  level(row: number): number {
    return this.#recordWords[this.#recordAt[row]! + 1]! >> 8
  }

  /** The row of the focus word of a band, counted from 0 for A2, in the table of words; −1 where there is none. */
  focusWord(row: number, band: number): number {
    const word = this.#recordWords[this.#recordAt[row]! + 3 + band * 2]!
    return word === none ? -1 : word
  }

  /** Where the focus word of a band is first said, in milliseconds. */
  focusStartMs(row: number, band: number): number {
    return this.#recordWords[this.#recordAt[row]! + 4 + band * 2]!
  }

  /**
   * The JSON of the clip as lists show it, joined from pieces. Texts are joined faster than bytes are copied: 6 µs against 13 µs for 20 clips; with the
   * whole JSON in the table it would be 4 µs, for three times the memory.
   */
  clipJson(row: number): string {
    const word = this.#recordAt[row]!
    const from = (word + fixedWords) * 4
    const own = this.#records.toString('utf8', from, from + this.#recordWords[word]!)
    const videoId = own.slice(beforeVideo, beforeVideo + (this.#recordWords[word + 1]! & 255))
    const pieces = this.#tail(this.#recordWords[word + 2]!)
    let json = `${beforeId}${this.clipId(row)}${own}${pieces[0]!}`
    for (let i = 1; i < pieces.length; i++) json += videoId + pieces[i]!
    return json
  }

  /** A tail, cut at its marks: most clips of a page share theirs with others asked for lately. */
  #tail(tail: number): string[] {
    let pieces = this.#cutTails.get(tail)
    if (!pieces) {
      pieces = this.#tails.toString('utf8', this.#tailAt[tail], this.#tailAt[tail + 1]).split(videoMark)
      if (this.#cutTails.size === mostCutTails) this.#cutTails.clear()
      this.#cutTails.set(tail, pieces)
    }
    return pieces
  }

  /** The clip as it went into the table. */
  entry(row: number): ClipEntry {
    const language = this.#languageOf(row)
    return {
      clipId: this.clipId(row),
      videoId: this.#videoId(row),
      language,
      level: levels[this.level(row)]!,
      json: this.clipJson(row),
      ordinal: row - this.rangeOf(language).base,
      revision: this.#revisions[row]!,
      recordDigest: this.#digest(row, 0),
      transcriptDigest: this.#digest(row, 1),
    }
  }

  /** Everything that the table says of a clip. */
  row(row: number): ClipRow {
    const clip = JSON.parse(this.clipJson(row)) as FeedClip
    return {
      ordinal: row - this.rangeOf(clip.language).base,
      clip,
      record: this.recordFile(row),
      transcript: this.transcriptFile(row),
      focus: bands.map((_, band) => {
        const wordRow = this.focusWord(row, band)
        return wordRow < 0 ? null : [wordRow, this.focusStartMs(row, band) / 1000]
      }),
    }
  }

  /** The rows of all clips, by language and ordinal. */
  *liveRows(): Generator<number> {
    for (let row = 0; row < this.#recordAt.length; row++) if (this.isLive(row)) yield row
  }

  #languageOf(row: number): string {
    const after = [...this.#languages].findLast(([, { base }]) => base <= row)
    return after![0]
  }

  #videoId(row: number): string {
    const word = this.#recordAt[row]!
    const from = (word + fixedWords) * 4 + beforeVideo
    return this.#records.toString('latin1', from, from + (this.#recordWords[word + 1]! & 255))
  }

  #findId(id: string): number {
    const bytes = Uint8Array.fromHex(id.replaceAll('-', ''))
    return findInSlots(this.#byId, bytesHash(bytes, 0, 16), (row) => {
      for (let i = 0; i < 16; i++) if (this.#ids[row * 16 + i] !== bytes[i]) return false
      return true
    })
  }

  #findVideo(id: string): number {
    return findInSlots(this.#byVideo, textHash(id), (row) => {
      const word = this.#recordAt[row]!
      if ((this.#recordWords[word + 1]! & 255) !== id.length) return false
      const from = (word + fixedWords) * 4 + beforeVideo
      for (let i = 0; i < id.length; i++) if (this.#records[from + i] !== id.charCodeAt(i)) return false
      return true
    })
  }

  #digest(row: number, which: 0 | 1): string {
    const from = (row * 2 + which) * digestBytes
    return this.#digests.toString('base64url', from, from + digestBytes)
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function isUuid(text: string): boolean {
  return text.length === 36 && uuid.test(text)
}

function digestOf(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== digestBytes)
    throw new RangeError(`cannot write the digest "${text}": it must be ${digestBytes} bytes`)
  return bytes
}
