import type { FeedClip } from '#contract/clip.ts'
import { toDate } from '#contract/dates.ts'
import { levels } from '#contract/levels.ts'
import { ByteWriter, pieceOf, viewOf, type Piece } from '#kit/byte-writer.ts'
import { prefetch } from '#kit/prefetch.ts'
import { textHash } from '#kit/text-hash.ts'
import { uuidPattern } from '#kit/uuid-pattern.ts'
import { findInSlots } from '../hash-slots.ts'
import { clipPath, transcriptPath } from '../paths.ts'
import { openTable, readLanguages } from '../table-file.ts'
import { Facets } from './facets.ts'
import * as layout from './layout.ts'
import { Tails } from './tails.ts'

/** A file under `data/`: its name, and the digest of its bytes, which is also its entity tag. */
export interface DataFile {
  path: string
  digest: string
}

/** The rows of a language. */
interface ClipRange {
  /** The first of them. */
  base: number
  /** How many ordinals were ever given in the language. */
  domain: number
}

const uuid = new RegExp(uuidPattern, 'i')
const afterDuration = pieceOf(layout.afterDuration)

/**
 * The clips of a release, as look-ups over typed arrays. The rows of a language lie together, in
 * the order of ordinals.
 */
export class ClipTable {
  readonly facets: Facets
  readonly #byId: Uint32Array
  readonly #byVideo: Uint32Array
  readonly #recordAt: Uint32Array
  readonly #records: Buffer
  readonly #recordView: DataView
  /** The same memory as 32-bit words. */
  readonly #words: Uint32Array
  readonly #tails: Tails
  readonly #languages = new Map<string, ClipRange>()
  /** By number of the language and rank of the level. */
  readonly #beforeDuration: Piece[]

  /** @throws {SyntaxError} when the bytes are no table of clips of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, layout.tableName, path)
    this.#recordAt = sections.u32('recordAt')
    this.#records = sections.u8('records')
    this.#recordView = viewOf(this.#records)
    this.#words = sections.words('records')
    this.#tails = new Tails(sections)
    this.facets = new Facets(sections)
    this.#byId = sections.u32('byId')
    this.#byVideo = sections.u32('byVideo')
    for (const { code, numbers } of readLanguages(sections, layout.languageNumbers))
      this.#languages.set(code, { base: numbers[1]!, domain: numbers[2]! })
    this.#beforeDuration = this.languages.flatMap((language) =>
      levels.map((level) => pieceOf(layout.beforeDuration(language, level))),
    )
  }

  /** How many rows there are, those of withdrawn clips included. */
  get rowCount(): number {
    return this.#recordAt.length
  }

  /** The languages that ordinals were ever given in. */
  get languages(): string[] {
    return [...this.#languages.keys()]
  }

  rangeOf(language: string): ClipRange {
    return this.#languages.get(language) ?? { base: 0, domain: 0 }
  }

  /** The row of a clip by its id in any case, or by its video id; −1 if there is none. */
  find(id: string): number {
    const isUuid = id.length === layout.idLength && uuid.test(id)
    const row = isUuid ? this.#findText(this.#byId, id.toLowerCase(), 0) : -1
    return row >= 0 ? row : this.#findText(this.#byVideo, id, layout.videoAt)
  }

  /** Whether the row holds a clip, and not a withdrawn one. */
  isLive(row: number): boolean {
    return this.#recordAt[row] !== layout.none
  }

  /** The rows of all clips, by language and ordinal. */
  *liveRows(): Generator<number> {
    for (let row = 0; row < this.rowCount; row++) if (this.isLive(row)) yield row
  }

  placeOf(row: number): { language: string; ordinal: number } {
    const [language, { base }] = [...this.#languages].findLast(([, range]) => range.base <= row)!
    return { language, ordinal: row - base }
  }

  recordFile(row: number): DataFile {
    return { path: clipPath(this.clipId(row), this.revision(row)), digest: this.#digest(row, 0) }
  }

  transcriptFile(row: number): DataFile {
    return { path: transcriptPath(this.clipId(row), this.revision(row)), digest: this.#digest(row, 1) }
  }

  clipId(row: number): string {
    const from = this.#textAt(row)
    return this.#records.toString('latin1', from, from + layout.idLength)
  }

  /** The first 32 bits of the clip id: a number that orders clips as their ids do. */
  clipIdPrefix(row: number): number {
    const from = this.#textAt(row)
    let bits = 0
    for (let at = from; at < from + 8; at++) {
      const digit = this.#records[at]!
      bits = (bits << 4) | (digit < 0x3a ? digit - 0x30 : digit - 0x57)
    }
    return bits >>> 0
  }

  /** The rank of the level, 0 for A1. */
  level(row: number): number {
    return (this.#word(row, layout.shapeAt) >> 8) & 255
  }

  /** Which record of the clip is published, from 1. */
  revision(row: number): number {
    return this.#word(row, layout.shapeAt) >>> 16
  }

  durationS(row: number): number {
    return this.#word(row, layout.durationAt) & 255
  }

  /** The number of the tail in this table. */
  tail(row: number): number {
    return this.#word(row, layout.tailAt)
  }

  /**
   * Where the entry of the focus word of a band, counted from 0 for A2, stands in the table of
   * words (`WordTable.entryAt`); −1 if there is none.
   */
  focusWord(row: number, band: number): number {
    const entryAt = this.#word(row, layout.focusAt + band * 2)
    return entryAt === layout.none ? -1 : entryAt
  }

  /** A number that the record stores of the clip. */
  number(row: number, name: layout.NumberName): number {
    return this.#word(row, layout.numberAt[name])
  }

  /** When the focus word of a band is first said, in milliseconds. */
  focusStartMs(row: number, band: number): number {
    return this.#word(row, layout.focusAt + 1 + band * 2)
  }

  /** Brings the records of clips into the cache, for callers that read several. */
  prefetch(rows: readonly number[]): void {
    prefetch(
      this.#words,
      rows.map((row) => this.#recordAt[row]!),
    )
  }

  /**
   * Appends the JSON of the clip as lists show it, but for `clipOpening`, which callers have in one
   * piece with what stands before.
   */
  writeRest(out: ByteWriter, row: number): void {
    const words = this.#words
    const at = this.#recordAt[row]!
    const text = (at + layout.textAt) * 4
    const shape = words[at + layout.shapeAt]!
    const duration = words[at + layout.durationAt]!
    out.append(this.#recordView, text, text + words[at]!)
    out.piece(this.#beforeDuration[(duration >>> 8) * levels.length + ((shape >> 8) & 255)]!)
    out.decimal(duration & 255)
    out.piece(afterDuration)
    this.#tails.write(out, words[at + layout.tailAt]!, this.#recordView, text + layout.videoAt, shape & 255)
  }

  /** Appends the JSON of the published record of the clip, byte for byte, but for `clipOpening`. */
  writeRecordRest(out: ByteWriter, row: number): void {
    this.writeRest(out, row)
    // Drops the brace at the end.
    out.length--
    const wordCount = this.number(row, 'wordCount')
    const indexedAtMs = this.#word(row, layout.indexedAt) + this.#word(row, layout.indexedAt + 1) * 2 ** 32
    out.text(`,"wordCount":${wordCount},"indexedAt":"${toDate(indexedAtMs)}"}`)
  }

  /** The clip as lists show it. */
  clip(row: number): FeedClip {
    const out = new ByteWriter()
    out.text(layout.clipOpening)
    this.writeRest(out, row)
    return JSON.parse(out.view().toString()) as FeedClip
  }

  /** The bytes of the record, without a copy. */
  record(row: number): Buffer {
    const at = this.#recordAt[row]! * 4
    return this.#records.subarray(at, at + layout.recordBytes(this.#word(row, layout.lengthAt)))
  }

  #word(row: number, at: number): number {
    return this.#words[this.#recordAt[row]! + at]!
  }

  #textAt(row: number): number {
    return (this.#recordAt[row]! + layout.textAt) * 4
  }

  /** The row whose text has this id at a place. */
  #findText(slots: Uint32Array, id: string, at: number): number {
    return findInSlots(slots, textHash(id), (row) => {
      if (at === layout.videoAt && (this.#word(row, layout.shapeAt) & 255) !== id.length) return false
      const from = this.#textAt(row) + at
      for (let i = 0; i < id.length; i++) if (this.#records[from + i] !== id.charCodeAt(i)) return false
      return true
    })
  }

  #digest(row: number, which: 0 | 1): string {
    const from = (this.#recordAt[row]! + layout.digestsAt) * 4 + which * layout.digestBytes
    return this.#records.toString('base64url', from, from + layout.digestBytes)
  }
}
