import type { FeedClip } from '#contract/clip.ts'
import { toDate } from '#contract/dates.ts'
import { bands, levelRank } from '#contract/levels.ts'
import { textHash } from '#kit/text-hash.ts'
import { digestBytes, writeTable } from '../table-file.ts'
import { TextColumnWriter } from '../text-column.ts'
import { buildSlots } from './hash-slots.ts'
import * as layout from './layout.ts'
import type { ClipRange, Focus } from './layout.ts'

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
  /** With words by their `wordId`, as a byte text. */
  termVector: string
}

/** What a clip says, once all words have their rows. */
export interface ClipWords {
  /** Its focus words by band. */
  focus: readonly Focus[]
  /** With words by their rows in the language. */
  termVector: Uint8Array
}

/** What the table has of a clip beside its JSON and its words. */
interface Row {
  endingNumber: number
  level: number
  durationS: number
  channelNumber: number
  revision: number
  wordCount: number
  dateNumber: number
  /** Of both its files, one after another. */
  digests: string
  idHash: number
  videoHash: number
}
const noWords: ClipWords = { focus: [], termVector: new Uint8Array() }
const noDigests = Buffer.alloc(2 * digestBytes).toString('base64url')

/** Builds the table clip by clip, in the order of rows. */
export class ClipTableWriter {
  readonly #languages: Record<string, ClipRange> = {}
  /** Null for a withdrawn clip. */
  readonly #rows: (Row | null)[] = []
  readonly #rowCount: number
  readonly #json = new TextColumnWriter()
  readonly #termVectors = new TextColumnWriter()
  /** What many clips share, each with its number. */
  readonly #endings = new Map<string, number>()
  readonly #dates = new Map<string, number>()
  readonly #channels = new Map<string, number>()

  /** `ordinals` holds by language how many were ever given. */
  constructor(ordinals: Readonly<Record<string, number>>) {
    let count = 0
    for (const code of Object.keys(ordinals).sort()) {
      this.#languages[code] = { base: count, domain: ordinals[code]! }
      count += ordinals[code]!
    }
    this.#rowCount = count
  }

  /** Adds a clip, whose row comes after that of the clip before. */
  add(entry: ClipEntry): void {
    const { clip, ordinal, revision, wordCount, indexedAtMs, recordDigest, transcriptDigest } = entry
    this.#skipTo(this.#languages[clip.language]!.base + ordinal)
    this.#termVectors.add(Buffer.from(entry.termVector, 'latin1'))
    this.#rows.push({
      endingNumber: this.#addJson(clip),
      level: levelRank(clip.level),
      durationS: clip.durationS,
      channelNumber: this.#channels.getOrInsert(clip.channel.id, this.#channels.size),
      revision,
      wordCount,
      dateNumber: this.#dates.getOrInsert(toDate(indexedAtMs), this.#dates.size),
      digests: recordDigest + transcriptDigest,
      idHash: textHash(clip.clipId),
      videoHash: textHash(clip.videoId),
    })
  }

  /** The bytes of the file. `wordsOf` finishes the term vector of each clip, in the order of rows. */
  finish(wordsOf: (termVector: Uint8Array) => ClipWords): Uint8Array<ArrayBuffer> {
    this.#skipTo(this.#rowCount)
    const rows = this.#rows
    const focusWords = new Uint32Array(rows.length * bands.length).fill(layout.none)
    const focusStarts = new Uint32Array(rows.length * bands.length)
    const { at, bytes } = this.#termVectors.finish()
    const terms = new TextColumnWriter()
    for (const [row, live] of rows.entries()) {
      const { focus, termVector } = live ? wordsOf(bytes.subarray(at[row], at[row + 1])) : noWords
      terms.add(termVector)
      for (const [band, found] of focus.entries()) {
        if (!found) continue
        focusWords[row * bands.length + band] = found.row
        focusStarts[row * bands.length + band] = found.tStartMs
      }
    }
    return writeTable(layout.tableName, layout.columns, {
      languages: this.#languages,
      json: this.#json,
      endingNumbers: rows.map((row) => row?.endingNumber ?? 0),
      endings: [...this.#endings.keys()],
      levels: Uint8Array.from(rows, (row) => row?.level ?? 0),
      durations: Uint8Array.from(rows, (row) => row?.durationS ?? 0),
      channelNumbers: rows.map((row) => row?.channelNumber ?? 0),
      revisions: rows.map((row) => row?.revision ?? 0),
      wordCounts: rows.map((row) => row?.wordCount ?? 0),
      dateNumbers: rows.map((row) => row?.dateNumber ?? 0),
      dates: [...this.#dates.keys()],
      digests: Buffer.from(rows.map((row) => row?.digests ?? noDigests).join(''), 'base64url'),
      focusWords,
      focusStarts,
      terms,
      channels: [...this.#channels.keys()],
      byId: buildSlots(rows.map((row) => row && row.idHash)),
      byVideo: buildSlots(rows.map((row) => row && row.videoHash)),
    })
  }

  /** Adds rows of withdrawn clips. */
  #skipTo(row: number): void {
    while (this.#rows.length < row) {
      this.#rows.push(null)
      this.#json.add('')
      this.#termVectors.add('')
    }
  }

  /** Adds the JSON of a clip; returns the number of its ending. */
  #addJson({ embedUrl, watchUrl, ...clip }: FeedClip): number {
    const ending = JSON.stringify({ embedUrl, watchUrl }).replaceAll(clip.videoId, layout.videoMark)
    this.#json.add(JSON.stringify(clip).slice(0, -1))
    return this.#endings.getOrInsert(`,${ending.slice(1)}`, this.#endings.size)
  }
}
