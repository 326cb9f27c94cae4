import type { FeedClip } from '#contract/clip.ts'
import { bands, levelRank } from '#contract/levels.ts'
import { textHash } from '#kit/text-hash.ts'
import { packLanguages, writeTable, type LanguageNumbers } from '../table-file.ts'
import { TextColumnWriter } from '../text-column.ts'
import { buildSlots } from './hash-slots.ts'
import * as layout from './layout.ts'
import type { Focus } from './layout.ts'

/** A clip as it goes into the table. */
export interface ClipEntry {
  clip: FeedClip
  ordinal: number
  /** Which of its records is published, from 1. */
  revision: number
  wordCount: number
  indexedAtMs: number
  /** Of the record and of the transcript: 96 bits, base64url. */
  recordDigest: string
  transcriptDigest: string
}

/** What a clip says, once all words have their rows. */
export interface ClipWords {
  /** Its focus words by band. */
  focus: readonly Focus[]
  /** With words by their rows in the language. */
  termVector: Uint8Array
}

/** Builds the table clip by clip, in the order of rows. Memory holds bytes, not objects. */
export class ClipTableWriter {
  readonly #languages: LanguageNumbers[] = []
  readonly #bases = new Map<string, number>()
  readonly #rowCount: number
  readonly #json = new TextColumnWriter()
  readonly #endings = new Map<string, number>()
  readonly #endingNumbers: Uint32Array<ArrayBuffer>
  readonly #channels = new Map<string, number>()
  readonly #facets: Uint32Array<ArrayBuffer>
  readonly #revisions: Uint32Array<ArrayBuffer>
  readonly #wordCounts: Uint32Array<ArrayBuffer>
  readonly #indexedAt: Uint32Array<ArrayBuffer>
  readonly #digests: Buffer<ArrayBuffer>
  readonly #idHashes: Uint32Array
  readonly #videoHashes: Uint32Array
  #nextRow = 0

  /** `ordinals` holds by language how many were ever given. */
  constructor(ordinals: Readonly<Record<string, number>>) {
    let count = 0
    for (const code of Object.keys(ordinals).sort()) {
      this.#languages.push([code, count, ordinals[code]!])
      this.#bases.set(code, count)
      count += ordinals[code]!
    }
    this.#rowCount = count
    this.#facets = new Uint32Array(count).fill(layout.none)
    this.#endingNumbers = new Uint32Array(count)
    this.#revisions = new Uint32Array(count)
    this.#wordCounts = new Uint32Array(count)
    this.#indexedAt = new Uint32Array(count * 2)
    this.#digests = Buffer.alloc(count * 2 * layout.digestBytes)
    this.#idHashes = new Uint32Array(count)
    this.#videoHashes = new Uint32Array(count)
  }

  /**
   * Adds a clip, whose row comes after that of the clip before. Returns the row.
   *
   * @throws {RangeError} there are too many channels
   */
  add(entry: ClipEntry): number {
    const { clip, ordinal, revision, wordCount, indexedAtMs, recordDigest, transcriptDigest } = entry
    const row = this.#bases.get(clip.language)! + ordinal
    for (; this.#nextRow < row; this.#nextRow++) this.#json.add('')
    this.#nextRow = row + 1
    this.#addJson(row, clip)
    this.#facets[row] = this.#facetOf(clip)
    this.#revisions[row] = revision
    this.#wordCounts[row] = wordCount
    this.#indexedAt.set([indexedAtMs % 2 ** 32, Math.floor(indexedAtMs / 2 ** 32)], row * 2)
    this.#digests.write(recordDigest + transcriptDigest, row * 2 * layout.digestBytes, 'base64url')
    this.#idHashes[row] = textHash(clip.clipId)
    this.#videoHashes[row] = textHash(clip.videoId)
    return row
  }

  /** The pieces of the file. `wordsOf` is asked for each clip once, in the order of rows. */
  finish(wordsOf: (row: number) => ClipWords): Uint8Array[] {
    for (; this.#nextRow < this.#rowCount; this.#nextRow++) this.#json.add('')
    const focusWords = new Uint32Array(this.#rowCount * bands.length).fill(layout.none)
    const focusStarts = new Uint32Array(this.#rowCount * bands.length)
    const terms = new TextColumnWriter()
    const rows: number[] = []
    for (const [row, facet] of this.#facets.entries()) {
      if (facet === layout.none) {
        terms.add('')
        continue
      }
      rows.push(row)
      const { focus, termVector } = wordsOf(row)
      terms.add(termVector)
      for (const [band, found] of focus.entries()) {
        if (!found) continue
        focusWords[row * bands.length + band] = found.row
        focusStarts[row * bands.length + band] = found.tStartMs
      }
    }
    return writeTable(layout.tableName, layout.columns, {
      languages: packLanguages(this.#languages),
      json: this.#json,
      endingNumbers: this.#endingNumbers,
      endings: this.#endings.keys(),
      facets: this.#facets,
      revisions: this.#revisions,
      wordCounts: this.#wordCounts,
      indexedAt: this.#indexedAt,
      digests: this.#digests,
      focusWords,
      focusStarts,
      terms,
      channels: this.#channels.keys(),
      byId: buildSlots(rows, this.#idHashes),
      byVideo: buildSlots(rows, this.#videoHashes),
    })
  }

  /** Adds the JSON of a clip, and the number of its ending. */
  #addJson(row: number, { embedUrl, watchUrl, ...clip }: FeedClip): void {
    const ending = JSON.stringify({ embedUrl, watchUrl }).replaceAll(clip.videoId, layout.videoMark)
    this.#json.add(JSON.stringify(clip).slice(0, -1))
    this.#endingNumbers[row] = this.#endings.getOrInsert(`,${ending.slice(1)}`, this.#endings.size)
  }

  #facetOf({ level, durationS, channel }: FeedClip): number {
    const number = this.#channels.getOrInsert(channel.id, this.#channels.size)
    if (number >= layout.mostChannels)
      throw new RangeError(`cannot list the clips: a tree can have at most ${layout.mostChannels} channels`)
    return levelRank(level) | (durationS << layout.durationShift) | (number << layout.channelShift)
  }
}
