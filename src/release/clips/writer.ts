import { join } from 'node:path'
import type { FeedClip } from '#contract/clip.ts'
import { toDate } from '#contract/dates.ts'
import { bands, levelRank } from '#contract/levels.ts'
import { textHash } from '#kit/text-hash.ts'
import { buildSlots } from '../hash-slots.ts'
import { digestBytes, writeTable } from '../table-file.ts'
import { TextColumnWriter } from '../text-column.ts'
import * as layout from './layout.ts'
import type { ClipRange, Focus } from './layout.ts'

export interface ClipEntry {
  clip: FeedClip
  ordinal: number
  /** The number of its published record, from 1. */
  revision: number
  wordCount: number
  indexedAtMs: number
  /** The digests of the record and of the transcript: 96 bits, base64url. */
  recordDigest: string
  transcriptDigest: string
  /** The words spoken in it, in the form that the callback of `finish` reads. */
  terms: Uint8Array
}

/** The words of a clip, once all words have their numbers. */
export interface ClipWords {
  /** Its focus words by band. */
  focus: readonly Focus[]
  /** The term vector, in which words have their numbers in the language. */
  termVector: Uint8Array
}

const noWords: ClipWords = { focus: [], termVector: new Uint8Array() }

/** Builds the table clip by clip, in the order of rows. */
export class ClipTableWriter {
  readonly #languages: Record<string, ClipRange> = {}
  readonly #rowCount: number
  /** Numbers and bytes by row; 0 for a withdrawn clip. */
  readonly #columns
  /** The hash of each row's id; −1 for a withdrawn clip. */
  readonly #idHashes: Float64Array
  readonly #videoHashes: Float64Array
  /** Texts by row, up to that of the last clip; empty for a withdrawn clip. */
  readonly #json: TextColumnWriter
  readonly #terms: TextColumnWriter
  readonly #termVectors: TextColumnWriter
  #nextRow = 0
  /** Values that many clips share, each with its number. */
  readonly #endings = new Map<string, number>()
  readonly #dates = new Map<string, number>()
  readonly #channels = new Map<string, number>()

  /**
   * `ordinals` contains the number of assigned ordinals by language. `folder` is for files in
   * progress, which the caller deletes; without it, all texts are in memory.
   */
  constructor(ordinals: Readonly<Record<string, number>>, folder?: string) {
    const newColumn = (name: string) => new TextColumnWriter([], folder && join(folder, `clips.${name}`))
    this.#json = newColumn('json')
    this.#terms = newColumn('terms')
    this.#termVectors = newColumn('term-vectors')
    let count = 0
    for (const code of Object.keys(ordinals).sort()) {
      this.#languages[code] = { base: count, domain: ordinals[code]! }
      count += ordinals[code]!
    }
    this.#rowCount = count
    this.#columns = {
      endingNumbers: new Uint32Array(count),
      levels: new Uint8Array(count),
      durations: new Uint8Array(count),
      channelNumbers: new Uint32Array(count),
      revisions: new Uint32Array(count),
      wordCounts: new Uint32Array(count),
      dateNumbers: new Uint32Array(count),
      digests: Buffer.alloc(count * 2 * digestBytes),
    }
    this.#idHashes = new Float64Array(count).fill(-1)
    this.#videoHashes = this.#idHashes.slice()
  }

  /** Adds a clip, whose row comes after that of the previous one. */
  add(entry: ClipEntry): void {
    const { clip, ordinal, revision, wordCount, indexedAtMs, recordDigest, transcriptDigest } = entry
    const row = this.#languages[clip.language]!.base + ordinal
    const columns = this.#columns
    columns.endingNumbers[row] = this.#addTexts(row, clip, entry.terms)
    columns.levels[row] = levelRank(clip.level)
    columns.durations[row] = clip.durationS
    columns.channelNumbers[row] = this.#channels.getOrInsert(clip.channel.id, this.#channels.size)
    columns.revisions[row] = revision
    columns.wordCounts[row] = wordCount
    columns.dateNumbers[row] = this.#dates.getOrInsert(toDate(indexedAtMs), this.#dates.size)
    columns.digests.write(recordDigest + transcriptDigest, row * 2 * digestBytes, 'base64url')
    this.#idHashes[row] = textHash(clip.clipId)
    this.#videoHashes[row] = textHash(clip.videoId)
  }

  /**
   * Returns the bytes of the file, in pieces that can be read once. Calls `buildWords` with the
   * terms of each clip, by row.
   */
  finish(buildWords: (terms: Uint8Array) => ClipWords): Generator<Uint8Array> {
    this.#skipTo(this.#rowCount)
    return writeTable(layout.tableName, layout.columns, {
      ...this.#columns,
      ...this.#finishWords(buildWords),
      languages: this.#languages,
      json: this.#json,
      endings: [...this.#endings.keys()],
      dates: [...this.#dates.keys()],
      channels: [...this.#channels.keys()],
      byId: buildSlots(this.#idHashes),
      byVideo: buildSlots(this.#videoHashes),
    })
  }

  #finishWords(buildWords: (terms: Uint8Array) => ClipWords) {
    const focusWords = new Uint32Array(this.#rowCount * bands.length).fill(layout.none)
    const focusStarts = new Uint32Array(this.#rowCount * bands.length)
    let row = 0
    for (const terms of this.#terms) {
      const isLive = this.#idHashes[row]! >= 0
      const { focus, termVector } = isLive ? buildWords(terms) : noWords
      this.#termVectors.add(termVector)
      for (const [band, focusWord] of focus.entries()) {
        if (!focusWord) continue
        focusWords[row * bands.length + band] = focusWord.number
        focusStarts[row * bands.length + band] = focusWord.tStartMs
      }
      row++
    }
    return { focusWords, focusStarts, terms: this.#termVectors }
  }

  /** Adds the texts of withdrawn clips. */
  #skipTo(row: number): void {
    for (; this.#nextRow < row; this.#nextRow++) {
      this.#json.add('')
      this.#terms.add('')
    }
  }

  /** Adds the texts of a clip; returns the number of the ending of its JSON. */
  #addTexts(row: number, { embedUrl, watchUrl, ...clip }: FeedClip, terms: Uint8Array): number {
    this.#skipTo(row)
    this.#nextRow++
    this.#terms.add(terms)
    this.#json.add(JSON.stringify(clip).slice(0, -1))
    const ending = JSON.stringify({ embedUrl, watchUrl }).replaceAll(clip.videoId, layout.videoMark)
    return this.#endings.getOrInsert(`,${ending.slice(1)}`, this.#endings.size)
  }
}
