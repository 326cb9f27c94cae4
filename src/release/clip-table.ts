import type { FeedClip } from '#contract/clip.ts'
import { bands, levelRank, levels, type Level } from '#contract/levels.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { bytesHash, textHash } from '#kit/text-hash.ts'
import { Tails, TailWriter } from './clip-tails.ts'
import { buildSlots, findInSlots, firstInSlots } from './hash-slots.ts'
import { clipPath, transcriptPath } from './paths.ts'
import { rowBases } from './row-bases.ts'
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
/**
 * Of a record before its text, in 32-bit words: the length of the text; the length of the video id, the level and the revision; the tail; word and time for
 * every band; the digests.
 */
const focusAt = 3
const digestsAt = focusAt + 2 * bands.length
const fixedWords = digestsAt + (2 * digestBytes) / 4
/** How the text begins: the ids always stand at the same places. */
const beforeId = '{"clipId":"'
const idLength = 36
const videoAt = beforeId.length + idLength + '","videoId":"'.length
const mostRevisions = 0xffff
/** 64 bytes come from memory at a time. */
const wordsPerLine = 16

/** Puts the table together clip by clip; memory holds bytes, not objects. */
export class ClipTableWriter {
  readonly #languages: string[] = []
  /** By clip as added: language, ordinal, revision, level, tail, start of its text, length of its video id. */
  readonly #columns = Array.from({ length: 7 }, () => new GrowingUint32Array())
  readonly #digests = new ByteWriter()
  readonly #texts = new ByteWriter()
  readonly #tails = new TailWriter()

  get count(): number {
    return this.#columns[0]!.length
  }

  /** Adds a clip; gives the number by which `focusOf` will be asked for it. @throws {RangeError} it is not one that the table can hold */
  add(entry: ClipEntry): number {
    checkEntry(entry)
    const { videoId, language, level, json, ordinal, revision } = entry
    // A title may hold `"channel":` only with its quotes escaped, so the first is the field.
    const cut = json.indexOf('"channel":')
    const row = [
      this.#languageNumber(language),
      ordinal,
      revision,
      levelRank(level),
      this.#tails.add(json.slice(cut), videoId),
      this.#texts.length,
      videoId.length,
    ]
    for (const [i, value] of row.entries()) this.#columns[i]!.push(value)
    this.#digests.copy(digestOf(entry.recordDigest))
    this.#digests.copy(digestOf(entry.transcriptDigest))
    this.#texts.text(json.slice(0, cut))
    return this.count - 1
  }

  /** The pieces of the file. `ordinals` tells by language how many were ever given; `focusOf` the focus words by clip as added and band. */
  finish(
    ordinals: Readonly<Record<string, number>>,
    focusOf: (added: number, band: number) => Focus,
  ): Uint8Array[] {
    const { codes, base, rowCount } = rowBases(ordinals)
    const rowOf = (added: number) =>
      base.get(this.#languages[this.#columns[0]!.at(added)]!)! + this.#columns[1]!.at(added)
    const addedAt = new Uint32Array(rowCount).fill(none)
    for (let added = 0; added < this.count; added++) addedAt[rowOf(added)] = added

    const recordAt = new Uint32Array(rowCount).fill(none)
    const records = new ByteWriter(this.#texts.length + this.count * (fixedWords * 4 + 2))
    for (let row = 0; row < rowCount; row++) {
      const added = addedAt[row]!
      if (added === none) continue
      recordAt[row] = records.length / 4
      this.#writeRecord(records, added, focusOf)
    }
    const live = () => addedAt.keys().filter((row) => addedAt[row] !== none)
    const hashOf = (row: number, at: number, length: number) => {
      const from = (recordAt[row]! + fixedWords) * 4 + at
      return bytesHash(records.bytes, from, from + length)
    }
    return writeTable('clips', {
      languages: Uint32Array.from(
        codes.flatMap((code) => [codeNumber(code), base.get(code)!, ordinals[code]!]),
      ),
      recordAt,
      records: records.view(),
      ...this.#tails.finish(),
      byId: buildSlots(live(), this.count, (row) => hashOf(row, beforeId.length, idLength)),
      byVideo: buildSlots(live(), this.count, (row) =>
        hashOf(row, videoAt, this.#columns[6]!.at(addedAt[row]!)),
      ),
    })
  }

  #writeRecord(records: ByteWriter, added: number, focusOf: (added: number, band: number) => Focus): void {
    const [, , revision, level, tail, from, videoLength] = this.#columns.map((column) => column.at(added))
    const to = added + 1 < this.count ? this.#columns[5]!.at(added + 1) : this.#texts.length
    const fixed = Buffer.alloc(digestsAt * 4)
    fixed.writeUInt32LE(to - from!, 0)
    fixed.writeUInt32LE((revision! * 256 + level!) * 256 + videoLength!, 4)
    fixed.writeUInt32LE(tail!, 8)
    for (let band = 0; band < bands.length; band++) {
      const focus = focusOf(added, band)
      fixed.writeUInt32LE(focus ? focus.wordRow : none, (focusAt + band * 2) * 4)
      fixed.writeUInt32LE(focus ? focus.tStartMs : 0, (focusAt + band * 2) * 4 + 4)
    }
    records.copy(fixed)
    records.copy(this.#digests.bytes, added * 2 * digestBytes, (added + 1) * 2 * digestBytes)
    records.copy(this.#texts.bytes, from, to)
    records.align(4)
  }

  #languageNumber(language: string): number {
    const known = this.#languages.indexOf(language)
    return known >= 0 ? known : this.#languages.push(language) - 1
  }
}

function checkEntry({ clipId, videoId, json, revision }: ClipEntry): void {
  const fault = (what: string) => new RangeError(`cannot list the clip "${clipId}": ${what}`)
  const start = `${beforeId}${clipId}","videoId":"${videoId}"`
  if (clipId.length !== idLength || !json.startsWith(start))
    throw fault(`its JSON must begin ${start}, got ${json.slice(0, start.length)}`)
  if (!json.includes('"channel":')) throw fault('its JSON must have a channel')
  if (videoId.length > 255)
    throw fault(`its video id must have at most 255 characters, got ${videoId.length}`)
  if (revision > mostRevisions) throw fault(`it must have at most ${mostRevisions} records, got ${revision}`)
}

/** The clips of a release: look-ups over typed arrays. Rows are numbers: languages by code, each with its ordinals from 0. */
export class ClipTable {
  readonly #recordAt: Uint32Array
  readonly #records: Buffer
  readonly #words: Uint32Array
  readonly #tails: Tails
  readonly #byId: Uint32Array
  readonly #byVideo: Uint32Array
  readonly #languages = new Map<string, { base: number; domain: number }>()
  readonly #read = new Uint32Array(1)

  /** @throws {SyntaxError} when the bytes are no table of clips of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, 'clips', path)
    this.#recordAt = sections.u32('recordAt')
    const records = sections.u8('records')
    this.#records = Buffer.from(records.buffer, records.byteOffset, records.length)
    this.#words = new Uint32Array(records.buffer, records.byteOffset, records.length >> 2)
    this.#tails = new Tails(sections.u32('tailAt'), sections.u8('tails'))
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
    const row = isUuid(id) ? this.#findText(this.#byId, id.toLowerCase(), beforeId.length) : -1
    return row >= 0 ? row : this.#findText(this.#byVideo, id, videoAt)
  }

  /** The rows of the clips that there are among such ids, in no order: they are looked up together. */
  findAll(ids: readonly string[]): number[] {
    const uuids: string[] = []
    const videoIds: string[] = []
    for (const id of ids) (isUuid(id) ? uuids : videoIds).push(id)
    const bytes = Buffer.from(uuids.join('').toLowerCase(), 'latin1')
    const rows = this.findIds(
      bytes,
      uuids.map((_, i) => i * idLength),
    )
    videoIds.push(...uuids.filter((_, i) => rows[i]! < 0))
    const likely = videoIds.map((id) => firstInSlots(this.#byVideo, textHash(id)))
    this.#fetchIds(likely)
    return rows.concat(videoIds.map((id) => this.find(id))).filter((row) => row >= 0)
  }

  /**
   * The rows of clips by their ids, each 36 `bytes` from one of the places on, in small letters; −1 where there is none. They are compared with
   * what is fetched together, as far as the first place that a hash names is the right one.
   */
  findIds(bytes: Uint8Array, places: readonly number[]): number[] {
    const hashes = places.map((at) => bytesHash(bytes, at, at + idLength))
    const likely = hashes.map((hash) => firstInSlots(this.#byId, hash))
    this.#fetchIds(likely)
    return places.map((at, i) =>
      likely[i]! >= 0 && this.#hasId(likely[i]!, bytes, at) ? likely[i]! : this.#findId(bytes, at),
    )
  }

  /** Whether the row holds a clip, not one withdrawn. */
  isLive(row: number): boolean {
    return this.#recordAt[row] !== none
  }

  recordFile(row: number): DataFile {
    return { path: clipPath(this.clipId(row), this.revision(row)), digest: this.#digest(row, 0) }
  }

  transcriptFile(row: number): DataFile {
    return { path: transcriptPath(this.clipId(row), this.revision(row)), digest: this.#digest(row, 1) }
  }

  clipId(row: number): string {
    const from = this.#textAt(row) + beforeId.length
    return this.#records.toString('latin1', from, from + idLength)
  }

  /** The rank of its level, 0 for A1. */
  level(row: number): number {
    return (this.#words[this.#recordAt[row]! + 1]! >> 8) & 255
  }

  /** The row of the focus word of a band, counted from 0 for A2, in the table of words; −1 where there is none. */
  focusWord(row: number, band: number): number {
    const word = this.#words[this.#recordAt[row]! + focusAt + band * 2]!
    return word === none ? -1 : word
  }

  /** Where the focus word of a band is first said, in milliseconds. */
  focusStartMs(row: number, band: number): number {
    return this.#words[this.#recordAt[row]! + focusAt + 1 + band * 2]!
  }

  /**
   * Reads a little of every cache line of these clips' records. At a million clips no cache holds them: one after another each clip would be waited for
   * several times over, asked for together they come together (a page of the feed: 16 µs, without this 23).
   */
  fetch(rows: readonly number[]): void {
    const words = this.#words
    const recordAt = this.#recordAt
    let sum = 0
    for (let i = 0; i < rows.length; i++) sum ^= recordAt[rows[i]!]!
    for (let i = 0; i < rows.length; i++) sum ^= words[recordAt[rows[i]!]!]!
    for (let i = 0; i < rows.length; i++) {
      const at = recordAt[rows[i]!]!
      const last = at + fixedWords + (words[at]! >> 2) - 1
      for (let word = at + wordsPerLine; word < last; word += wordsPerLine) sum ^= words[word]!
      sum ^= words[last]!
    }
    // Kept, or the reading would be left out.
    this.#read[0] = sum
  }

  /** The same of their ids alone. A negative row is none. */
  #fetchIds(rows: readonly number[]): void {
    const words = this.#words
    const recordAt = this.#recordAt
    let sum = 0
    for (let i = 0; i < rows.length; i++) if (rows[i]! >= 0) sum ^= recordAt[rows[i]!]!
    for (let i = 0; i < rows.length; i++) {
      if (rows[i]! < 0) continue
      const at = recordAt[rows[i]!]! + fixedWords
      sum ^= words[at]! ^ words[at + wordsPerLine]!
    }
    this.#read[0] = sum
  }

  /** Appends the JSON of the clip as lists show it. */
  writeJson(out: ByteWriter, row: number): void {
    const words = this.#words
    const at = this.#recordAt[row]!
    const from = (at + fixedWords) * 4
    out.copy(this.#records, from, from + words[at]!)
    this.#tails.write(out, words[at + 2]!, this.#records, from + videoAt, words[at + 1]! & 255)
  }

  /** The clip as it went into the table. */
  entry(row: number): ClipEntry {
    const { language, ordinal } = this.placeOf(row)
    const out = new ByteWriter()
    this.writeJson(out, row)
    return {
      clipId: this.clipId(row),
      videoId: this.#videoId(row),
      language,
      level: levels[this.level(row)]!,
      json: out.view().toString(),
      ordinal,
      revision: this.revision(row),
      recordDigest: this.#digest(row, 0),
      transcriptDigest: this.#digest(row, 1),
    }
  }

  placeOf(row: number): { language: string; ordinal: number } {
    const [language, { base }] = [...this.#languages].findLast(([, range]) => range.base <= row)!
    return { language, ordinal: row - base }
  }

  /** Everything that the table says of a clip. */
  row(row: number): ClipRow {
    const { json, ordinal } = this.entry(row)
    return {
      ordinal,
      clip: JSON.parse(json) as FeedClip,
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

  /** Where the text of a record begins. */
  #textAt(row: number): number {
    return (this.#recordAt[row]! + fixedWords) * 4
  }

  revision(row: number): number {
    return this.#words[this.#recordAt[row]! + 1]! >>> 16
  }

  #videoId(row: number): string {
    const from = this.#textAt(row) + videoAt
    return this.#records.toString('latin1', from, from + this.#videoLength(row))
  }

  #findId(bytes: Uint8Array, at: number): number {
    const hash = bytesHash(bytes, at, at + idLength)
    return findInSlots(this.#byId, hash, (row) => this.#hasId(row, bytes, at))
  }

  #hasId(row: number, bytes: Uint8Array, at: number): boolean {
    const from = this.#textAt(row) + beforeId.length
    for (let i = 0; i < idLength; i++) if (this.#records[from + i] !== bytes[at + i]) return false
    return true
  }

  /** The row whose text has this id at a place. */
  #findText(slots: Uint32Array, id: string, at: number): number {
    return findInSlots(slots, textHash(id), (row) => {
      if (at === videoAt && this.#videoLength(row) !== id.length) return false
      const from = this.#textAt(row) + at
      for (let i = 0; i < id.length; i++) if (this.#records[from + i] !== id.charCodeAt(i)) return false
      return true
    })
  }

  #videoLength(row: number): number {
    return this.#words[this.#recordAt[row]! + 1]! & 255
  }

  #digest(row: number, which: 0 | 1): string {
    const from = (this.#recordAt[row]! + digestsAt) * 4 + which * digestBytes
    return this.#records.toString('base64url', from, from + digestBytes)
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function isUuid(text: string): boolean {
  return text.length === idLength && uuid.test(text)
}

function digestOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== digestBytes)
    throw new RangeError(`cannot write the digest "${text}": it must be ${digestBytes} bytes`)
  return bytes
}
