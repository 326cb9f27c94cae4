import { uuidPattern } from '#contract/clip.ts'
import { bands } from '#contract/levels.ts'
import { toByteText } from '#kit/byte-text.ts'
import { textHash } from '#kit/text-hash.ts'
import { findInSlots } from '../hash-slots.ts'
import { clipPath, transcriptPath, type DataFile } from '../paths.ts'
import { digestAt, openTable, type Opened, type TableBytes } from '../table-file.ts'
import * as layout from './layout.ts'
import type { ClipRange, Focus } from './layout.ts'
import type { TermVectorReader } from './term-vector.ts'

/** The properties of the clips in a request. */
export interface ClipFacets {
  /** A set of levels, bit 0 for A1. */
  levelMask: number
  /** Numbers of channels; null for all. */
  channels: ReadonlySet<number> | null
  maxDurationS: number
}

const uuid = new RegExp(uuidPattern, 'i')

/** The clips of a release in typed arrays. A language has consecutive rows, by ordinal. */
export class ClipTable {
  static readonly diskColumns = layout.diskColumns
  readonly #columns: Opened<typeof layout.columns>
  /** The endings by number, split at the video id. */
  readonly #endings: readonly string[][]
  readonly #dates: readonly string[]
  readonly #channels: ReadonlyMap<string, number>
  readonly #languages: ReadonlyMap<string, ClipRange>

  /** @throws {SyntaxError} the bytes are not a table of clips of this version */
  constructor(bytes: TableBytes, path: string) {
    this.#columns = openTable(layout.tableName, layout.columns, bytes, path)
    const { endings, dates, channels, languages } = this.#columns
    this.#endings = (endings as string[]).map((text) => toByteText(text).split(layout.videoMark))
    this.#dates = dates as string[]
    this.#channels = new Map((channels as string[]).map((id, number) => [id, number]))
    this.#languages = new Map(Object.entries(languages as Record<string, ClipRange>))
  }

  /** The number of rows, including those of withdrawn clips. */
  get rowCount(): number {
    return this.#columns.json.count
  }

  rangeOf(language: string): ClipRange {
    return this.#languages.get(language) ?? { base: 0, domain: 0 }
  }

  /** Returns the row of a clip by its id in any case, or by its video id; −1 if there is none. */
  find(id: string): number {
    const row = id.length === layout.idLength && uuid.test(id) ? this.findClip(id.toLowerCase()) : -1
    if (row >= 0) return row
    const isIt = (row: number) => videoIdIn(this.#columns.json.byteText(row)) === id
    return findInSlots(this.#columns.byVideo, textHash(id), isIt)
  }

  /**
   * Returns the row of the clip with a clip id in lower case, or −1. Video ids are not considered,
   * because a video id may look like a clip id.
   *
   * @param mayMatch tells which rows to compare. Others are skipped, because reading an id may need
   *   the disk
   */
  findClip(clipId: string, mayMatch: (row: number) => boolean = () => true): number {
    const isIt = (row: number) => mayMatch(row) && this.clipId(row) === clipId
    return findInSlots(this.#columns.byId, textHash(clipId), isIt)
  }

  /** Whether the row holds a clip that is not withdrawn. */
  isLive(row: number): boolean {
    return !this.#columns.json.isEmpty(row)
  }

  /** Yields the rows of all clips, by language and ordinal. */
  *liveRows(): Generator<number> {
    for (let row = 0; row < this.rowCount; row++) if (this.isLive(row)) yield row
  }

  files(row: number): DataFile[] {
    return [this.recordFile(row), this.transcriptFile(row)]
  }

  recordFile(row: number): DataFile {
    return {
      path: clipPath(this.clipId(row), this.revision(row)),
      digest: digestAt(this.#columns.digests, 2 * row),
    }
  }

  transcriptFile(row: number): DataFile {
    return {
      path: transcriptPath(this.clipId(row), this.revision(row)),
      digest: digestAt(this.#columns.digests, 2 * row + 1),
    }
  }

  clipId(row: number): string {
    return this.#columns.json.ascii(row, layout.idAt, layout.idLength)
  }

  /** Returns the rank of the level, 0 for A1. */
  level(row: number): number {
    return this.#columns.levels[row]!
  }

  durationS(row: number): number {
    return this.#columns.durations[row]!
  }

  /** Returns the number of a channel; −1 if it has no clips. */
  channel(id: string): number {
    return this.#channels.get(id) ?? -1
  }

  /** Whether the row holds a clip that the filter accepts. */
  accepts(row: number, { levelMask, channels, maxDurationS }: ClipFacets): boolean {
    return (
      this.isLive(row) &&
      ((levelMask >> this.level(row)) & 1) === 1 &&
      this.durationS(row) <= maxDurationS &&
      (channels === null || channels.has(this.#columns.channelNumbers[row]!))
    )
  }

  /** Returns the number of the clip's published record, from 1. */
  revision(row: number): number {
    return this.#columns.revisions[row]!
  }

  /** Returns the focus word of a band, counted from 0 for A2. */
  focusWord(row: number, band: number): Focus {
    const at = row * bands.length + band
    const number = this.#columns.focusWords[at]!
    return number === layout.none ? null : { number, tStartMs: this.#columns.focusStarts[at]! }
  }

  /** Returns the size in bytes of the words of a clip. */
  termsSize(row: number): number {
    return this.#columns.terms.sizeOf(row)
  }

  get areTermsOnDisk(): boolean {
    return this.#columns.terms.isOnDisk
  }

  /** Opens the words of a clip, by their numbers in the language. */
  openTerms(row: number, reader: TermVectorReader): void {
    const { terms } = this.#columns
    const at = terms.load(row)
    reader.open(terms.buffer, at, at + terms.sizeOf(row))
  }

  readTerms(row: number, reader: TermVectorReader): void {
    this.openTerms(row, reader)
    reader.readTerms()
  }

  /** Returns the JSON of a live clip as lists show it, as a byte text. */
  json(row: number): string {
    const text = this.#columns.json.byteText(row)
    const videoId = videoIdIn(text)
    const ending = this.#endings[this.#columns.endingNumbers[row]!]!
    // Unlike `join`, a template copies its pieces only once, with the whole body.
    return text + ending.reduce((before, after) => `${before}${videoId}${after}`)
  }

  /** Returns the JSON of the clip's published record, byte for byte, as a byte text. */
  recordJson(row: number): string {
    const indexedAt = this.#dates[this.#columns.dateNumbers[row]!]
    const lastFields = `"wordCount":${this.#columns.wordCounts[row]},"indexedAt":"${indexedAt}"`
    return `${this.json(row).slice(0, -1)},${lastFields}}`
  }
}

function videoIdIn(json: string): string {
  return json.slice(layout.videoAt, json.indexOf('"', layout.videoAt))
}
