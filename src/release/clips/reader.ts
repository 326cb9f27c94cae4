import type { FeedClip } from '#contract/clip.ts'
import { toDate } from '#contract/dates.ts'
import { bands } from '#contract/levels.ts'
import { textHash } from '#kit/text-hash.ts'
import { uuidPattern } from '#kit/uuid-pattern.ts'
import { findInSlots } from '../hash-slots.ts'
import { clipPath, transcriptPath, type DataFile } from '../paths.ts'
import { openTable, readLanguages } from '../table-file.ts'
import { TextColumn } from '../text-column.ts'
import { Facets } from './facets.ts'
import * as layout from './layout.ts'
import type { Focus } from './layout.ts'
import type { TermVectorReader } from './term-vector.ts'

/** The rows of a language. */
interface ClipRange {
  /** The first of them. */
  base: number
  /** How many ordinals were ever given in the language. */
  domain: number
}

const uuid = new RegExp(uuidPattern, 'i')

/**
 * The clips of a release, as look-ups over typed arrays. The rows of a language lie together, in
 * the order of ordinals.
 */
export class ClipTable {
  readonly facets: Facets
  readonly #json: TextColumn
  /** By number, in parts between which the video id stands. */
  readonly #endings: readonly string[][]
  readonly #endingNumbers: Uint32Array
  readonly #revisions: Uint32Array
  readonly #wordCounts: Uint32Array
  readonly #indexedAt: Uint32Array
  readonly #digests: Buffer
  readonly #focusWords: Uint32Array
  readonly #focusStarts: Uint32Array
  readonly #termsAt: Uint32Array
  readonly #terms: Uint8Array
  readonly #byId: Uint32Array
  readonly #byVideo: Uint32Array
  readonly #languages = new Map<string, ClipRange>()

  /** @throws {SyntaxError} when the bytes are no table of clips of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, layout.tableName, path)
    this.facets = new Facets(sections)
    this.#json = new TextColumn(sections, 'json')
    const endings = new TextColumn(sections, 'endings')
    this.#endings = Array.from({ length: endings.count }, (_, i) => endings.text(i).split(layout.videoMark))
    this.#endingNumbers = sections.u32('endingNumbers')
    this.#revisions = sections.u32('revisions')
    this.#wordCounts = sections.u32('wordCounts')
    this.#indexedAt = sections.u32('indexedAt')
    this.#digests = sections.u8('digests')
    this.#focusWords = sections.u32('focusWords')
    this.#focusStarts = sections.u32('focusStarts')
    this.#termsAt = sections.u32('termsAt')
    this.#terms = sections.u8('terms')
    this.#byId = sections.u32('byId')
    this.#byVideo = sections.u32('byVideo')
    for (const { code, numbers } of readLanguages(sections, layout.languageNumbers))
      this.#languages.set(code, { base: numbers[1]!, domain: numbers[2]! })
  }

  /** How many rows there are, those of withdrawn clips included. */
  get rowCount(): number {
    return this.#json.count
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
    const row = id.length === layout.idLength && uuid.test(id) ? this.findClip(id.toLowerCase()) : -1
    if (row >= 0) return row
    const wanted = `${id}"`
    return findInSlots(this.#byVideo, textHash(id), (row) => this.#json.hasAt(row, layout.videoAt, wanted))
  }

  /**
   * The row of a clip by its clip id alone, in lower case: a video id may look like one. −1 if
   * there is none.
   */
  findClip(clipId: string): number {
    const wanted = `${clipId}"`
    return findInSlots(this.#byId, textHash(clipId), (row) => this.#json.hasAt(row, layout.idAt, wanted))
  }

  /** Whether the row holds a clip, and not a withdrawn one. */
  isLive(row: number): boolean {
    return !this.#json.isEmpty(row)
  }

  /** The rows of all clips, by language and ordinal. */
  *liveRows(): Generator<number> {
    for (let row = 0; row < this.rowCount; row++) if (this.isLive(row)) yield row
  }

  placeOf(row: number): { language: string; ordinal: number } {
    const [language, { base }] = [...this.#languages].findLast(([, range]) => range.base <= row)!
    return { language, ordinal: row - base }
  }

  /** The files of a clip: its record and its transcript. */
  files(row: number): DataFile[] {
    return [this.recordFile(row), this.transcriptFile(row)]
  }

  recordFile(row: number): DataFile {
    return { path: clipPath(this.clipId(row), this.revision(row)), digest: this.#digest(row, 0) }
  }

  transcriptFile(row: number): DataFile {
    return { path: transcriptPath(this.clipId(row), this.revision(row)), digest: this.#digest(row, 1) }
  }

  clipId(row: number): string {
    return this.#json.ascii(row, layout.idAt, layout.idLength)
  }

  /** The rank of the level, 0 for A1. */
  level(row: number): number {
    return this.facets.level(row)
  }

  /** Which record of the clip is published, from 1. */
  revision(row: number): number {
    return this.#revisions[row]!
  }

  /** The focus word of a band, counted from 0 for A2. */
  focusWord(row: number, band: number): Focus {
    const at = row * bands.length + band
    const word = this.#focusWords[at]!
    return word === layout.none ? null : { row: word, tStartMs: this.#focusStarts[at]! }
  }

  /** Opens the words said in the clip, by their rows in the language. */
  openTerms(row: number, reader: TermVectorReader): void {
    reader.open(this.#terms, this.#termsAt[row], this.#termsAt[row + 1])
  }

  /** Opens and reads them. */
  readTerms(row: number, reader: TermVectorReader): void {
    this.openTerms(row, reader)
    reader.readTerms()
  }

  /** The JSON of a live clip as lists show it. */
  json(row: number): string {
    const text = this.#json.text(row)
    const videoId = text.slice(layout.videoAt, text.indexOf('"', layout.videoAt))
    return text + this.#endings[this.#endingNumbers[row]!]!.join(videoId)
  }

  /** The JSON of the published record of the clip, byte for byte. */
  recordJson(row: number): string {
    const indexedAtMs = this.#indexedAt[row * 2]! + this.#indexedAt[row * 2 + 1]! * 2 ** 32
    const own = `"wordCount":${this.#wordCounts[row]},"indexedAt":"${toDate(indexedAtMs)}"`
    return `${this.json(row).slice(0, -1)},${own}}`
  }

  /** The clip as lists show it. */
  clip(row: number): FeedClip {
    return JSON.parse(this.json(row)) as FeedClip
  }

  #digest(row: number, which: 0 | 1): string {
    const from = (row * 2 + which) * layout.digestBytes
    return this.#digests.toString('base64url', from, from + layout.digestBytes)
  }
}
