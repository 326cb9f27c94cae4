import type { FeedClip } from '#contract/clip.ts'
import { toDate } from '#contract/dates.ts'
import { bands, levels } from '#contract/levels.ts'
import { ByteWriter, viewOf } from '#kit/byte-writer.ts'
import { prefetch } from '#kit/prefetch.ts'
import { bytesHash, textHash } from '#kit/text-hash.ts'
import { uuidPattern } from '#kit/uuid-pattern.ts'
import {
  digestBytes,
  digestsAt,
  fixedWords,
  focusAt,
  idLength,
  indexedAt,
  lengthAt,
  middleAt,
  none,
  clipOpening,
  recordBytes,
  shapeAt,
  tailAt,
  videoAt,
  wordCountAt,
  type ClipEntry,
} from './record.ts'
import { Facets } from './facets.ts'
import { Middles, Tails } from './texts.ts'
import { findInSlots, firstSlot, nextSlot, rowInSlot } from '../hash-slots.ts'
import { clipPath, transcriptPath } from '../paths.ts'
import { codeOfNumber, openTable } from '../table-file.ts'

/** The table of the clips of a release, opened (FORMAT.md, "clips.bin"). */

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
  /**
   * By band, A2 to C2: the place of the word in the table of words, and where it is first said, in
   * seconds.
   */
  focus: ([entryAt: number, tStart: number] | null)[]
}

/** How many 32-bit numbers a cache line holds. */
const numbersPerCacheLine = 16

/**
 * The clips of a release: look-ups over typed arrays. Rows are numbers: languages by code, each
 * with its ordinals from 0.
 */
export class ClipTable {
  readonly facets: Facets
  readonly #recordAt: Uint32Array
  readonly #records: Buffer
  readonly #recordView: DataView
  readonly #words: Uint32Array
  readonly #tails: Tails
  readonly #middles: Middles
  readonly #byId: Uint32Array
  readonly #byVideo: Uint32Array
  readonly #languages = new Map<string, { base: number; domain: number }>()

  /** @throws {SyntaxError} when the bytes are no table of clips of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, 'clips', path)
    this.#recordAt = sections.u32('recordAt')
    const records = sections.u8('records')
    this.#records = Buffer.from(records.buffer, records.byteOffset, records.length)
    this.#recordView = viewOf(records)
    this.#words = new Uint32Array(records.buffer, records.byteOffset, records.length >> 2)
    this.#tails = new Tails(sections.u32('tailAt'), sections.u8('tails'))
    this.#middles = new Middles(sections.u32('middles'), sections.u8('middleTexts'))
    this.facets = new Facets(sections)
    this.#byId = sections.u32('byId')
    this.#byVideo = sections.u32('byVideo')
    const languages = sections.u32('languages')
    for (let i = 0; i < languages.length; i += 3) {
      this.#languages.set(codeOfNumber(languages[i]!), { base: languages[i + 1]!, domain: languages[i + 2]! })
    }
  }

  /** How many rows there are, of clips and of withdrawn ones. */
  get rowCount(): number {
    return this.#recordAt.length
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
    const row = isUuid(id) ? this.#findText(this.#byId, id.toLowerCase(), 0) : -1
    return row >= 0 ? row : this.#findText(this.#byVideo, id, videoAt)
  }

  /**
   * The rows of the clips that there are among such ids, in no order: they are looked up together.
   */
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
    const likely = videoIds.map((id) => rowInSlot(this.#byVideo, firstSlot(this.#byVideo, textHash(id))))
    this.#prefetchTexts(likely, videoAt)
    return rows.concat(videoIds.map((id) => this.find(id))).filter((row) => row >= 0)
  }

  /**
   * The rows of clips by their ids, each 36 `bytes` from one of the places on, in small letters; −1
   * where there is none. They are compared round by round: in each round with the rows of one slot
   * each, which are fetched together. Three in ten ids take more than one round.
   */
  findIds(bytes: Uint8Array, places: readonly number[]): number[] {
    const slots = this.#byId
    const found = places.map(() => -1)
    const slotOf = places.map((at) => firstSlot(slots, bytesHash(bytes, at, at + idLength)))
    let sought = places.map((_, i) => i)
    while (sought.length > 0) {
      const rows = sought.map((i) => rowInSlot(slots, slotOf[i]!))
      this.#prefetchTexts(rows, idLength)
      const others: number[] = []
      for (const [k, i] of sought.entries()) {
        const row = rows[k]!
        if (row < 0) continue
        if (this.#hasId(row, bytes, places[i]!)) {
          found[i] = row
        } else {
          slotOf[i] = nextSlot(slots, slotOf[i]!)
          others.push(i)
        }
      }
      sought = others
    }
    return found
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
    const from = this.#textAt(row)
    return this.#records.toString('latin1', from, from + idLength)
  }

  /** The first 32 bits of the clip id: a number that orders clips as their ids do. */
  clipIdBeginning(row: number): number {
    const from = this.#textAt(row)
    let bits = 0
    for (let at = from; at < from + 8; at++) {
      const digit = this.#records[at]!
      bits = (bits << 4) | (digit < 0x3a ? digit - 0x30 : digit - 0x57)
    }
    return bits >>> 0
  }

  /** The rank of its level, 0 for A1. */
  level(row: number): number {
    return (this.#words[this.#recordAt[row]! + shapeAt]! >> 8) & 255
  }

  /**
   * The place of the focus word of a band, counted from 0 for A2, in the table of words
   * (`WordTable.entryAt`); −1 where there is none.
   */
  focusWord(row: number, band: number): number {
    const word = this.#words[this.#recordAt[row]! + focusAt + band * 2]!
    return word === none ? -1 : word
  }

  /** Where the focus word of a band is first said, in milliseconds. */
  focusStartMs(row: number, band: number): number {
    return this.#words[this.#recordAt[row]! + focusAt + 1 + band * 2]!
  }

  /**
   * Prefetches what `writeRest` and the look-ups of focus words read of these clips: four cache
   * lines are a usual record.
   */
  prefetch(rows: readonly number[]): void {
    prefetch(this.#words, this.#recordsOf(rows), numbersPerCacheLine)
  }

  /** Prefetches the first `length` bytes of the texts of these clips. A negative row is none. */
  #prefetchTexts(rows: readonly number[], length: number): void {
    const texts = this.#recordsOf(rows).map((at) => (at < 0 ? at : at + fixedWords))
    prefetch(this.#words, texts, Math.ceil(length / 4 / 3))
  }

  /** Where the records of these rows begin, looked up together; −1 for a negative row. */
  #recordsOf(rows: readonly number[]): number[] {
    const recordAt = this.#recordAt
    prefetch(recordAt, rows)
    return rows.map((row) => (row < 0 ? -1 : recordAt[row]!))
  }

  /**
   * Appends the JSON of the clip as lists show it, but for its `opening`: callers have that in one
   * piece with what stands before.
   */
  writeRest(out: ByteWriter, row: number): void {
    const words = this.#words
    const at = this.#recordAt[row]!
    const from = (at + fixedWords) * 4
    out.append(this.#recordView, from, from + words[at]!)
    this.#middles.write(out, words[at + middleAt]!)
    this.#tails.write(out, words[at + tailAt]!, this.#recordView, from + videoAt, words[at + shapeAt]! & 255)
  }

  /**
   * Appends the JSON of the whole record of a clip, but for its `opening`: byte for byte the
   * published file.
   */
  writeRecordRest(out: ByteWriter, row: number): void {
    this.writeRest(out, row)
    // The brace that ends the clip as lists show it.
    out.length--
    out.text(`,"wordCount":${this.#wordCount(row)},"indexedAt":"${toDate(this.#indexedAtMs(row))}"}`)
  }

  #wordCount(row: number): number {
    return this.#words[this.#recordAt[row]! + wordCountAt]!
  }

  #indexedAtMs(row: number): number {
    const at = this.#recordAt[row]! + indexedAt
    return this.#words[at]! + this.#words[at + 1]! * 2 ** 32
  }

  /** The clip as it went into the table. */
  entry(row: number): ClipEntry {
    const { language, ordinal } = this.placeOf(row)
    const out = new ByteWriter()
    out.text(clipOpening)
    this.writeRest(out, row)
    return {
      clipId: this.clipId(row),
      videoId: this.#videoId(row),
      language,
      level: levels[this.level(row)]!,
      durationS: this.durationS(row),
      channelId: this.facets.channelId(this.facets.channelOf(row)),
      wordCount: this.#wordCount(row),
      indexedAtMs: this.#indexedAtMs(row),
      json: out.view().toString(),
      ordinal,
      revision: this.revision(row),
      recordDigest: this.#digest(row, 0),
      transcriptDigest: this.#digest(row, 1),
    }
  }

  /** The record as it lies here, to be carried over: a view. */
  record(row: number): Buffer {
    const at = this.#recordAt[row]! * 4
    return this.#records.subarray(at, at + recordBytes(this.#words[this.#recordAt[row]! + lengthAt]!))
  }

  /** The number of its tail here. */
  tail(row: number): number {
    return this.#words[this.#recordAt[row]! + tailAt]!
  }

  /** The number of its middle here. */
  middle(row: number): number {
    return this.#words[this.#recordAt[row]! + middleAt]!
  }

  durationS(row: number): number {
    return this.#middles.durationS(this.middle(row))
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
        const entryAt = this.focusWord(row, band)
        return entryAt < 0 ? null : [entryAt, this.focusStartMs(row, band) / 1000]
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
    return this.#words[this.#recordAt[row]! + shapeAt]! >>> 16
  }

  #videoId(row: number): string {
    const from = this.#textAt(row) + videoAt
    return this.#records.toString('latin1', from, from + this.#videoLength(row))
  }

  #hasId(row: number, bytes: Uint8Array, at: number): boolean {
    const from = this.#textAt(row)
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
    return this.#words[this.#recordAt[row]! + shapeAt]! & 255
  }

  #digest(row: number, which: 0 | 1): string {
    const from = (this.#recordAt[row]! + digestsAt) * 4 + which * digestBytes
    return this.#records.toString('base64url', from, from + digestBytes)
  }
}

const uuid = new RegExp(uuidPattern, 'i')

function isUuid(text: string): boolean {
  return text.length === idLength && uuid.test(text)
}
