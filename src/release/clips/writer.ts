import type { FeedClip } from '#contract/clip.ts'
import { bands, levelRank } from '#contract/levels.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { textHash } from '#kit/text-hash.ts'
import { buildSlots } from '../hash-slots.ts'
import { codeNumber, writeTable } from '../table-file.ts'
import { TextColumnWriter } from '../text-column.ts'
import { ChannelWriter, facetOf } from './facets.ts'
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
  readonly #ordinals: Readonly<Record<string, number>>
  readonly #codes: string[]
  readonly #bases = new Map<string, number>()
  readonly #rowCount: number
  readonly #json = new TextColumnWriter()
  readonly #endings = new Map<string, number>()
  readonly #endingNumbers: Uint32Array<ArrayBuffer>
  readonly #channels = new ChannelWriter()
  readonly #facets: Uint32Array<ArrayBuffer>
  readonly #revisions: Uint32Array<ArrayBuffer>
  readonly #wordCounts: Uint32Array<ArrayBuffer>
  /** Milliseconds since the epoch: the lower 32 bits, then the upper. */
  readonly #indexedAt: Uint32Array<ArrayBuffer>
  readonly #digests: Buffer<ArrayBuffer>
  /** By clip: its row, and the hashes of its ids. */
  readonly #rows = new GrowingUint32Array()
  readonly #idHashes = new GrowingUint32Array()
  readonly #videoHashes = new GrowingUint32Array()
  #nextRow = 0

  /** `ordinals` holds by language how many were ever given. */
  constructor(ordinals: Readonly<Record<string, number>>) {
    this.#ordinals = ordinals
    this.#codes = Object.keys(ordinals).sort()
    let count = 0
    for (const code of this.#codes) {
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
  }

  /** Adds a clip, whose row comes after that of the clip before. Returns the row. */
  add(entry: ClipEntry): number {
    const { clip, ordinal, revision, wordCount, indexedAtMs, recordDigest, transcriptDigest } = entry
    const row = this.#bases.get(clip.language)! + ordinal
    for (; this.#nextRow < row; this.#nextRow++) this.#json.add('')
    this.#nextRow = row + 1
    this.#addJson(row, clip)
    this.#facets[row] = facetOf(levelRank(clip.level), clip.durationS, this.#channels.add(clip.channel.id))
    this.#revisions[row] = revision
    this.#wordCounts[row] = wordCount
    this.#indexedAt.set([indexedAtMs % 2 ** 32, Math.floor(indexedAtMs / 2 ** 32)], row * 2)
    this.#digests.write(recordDigest + transcriptDigest, row * 2 * layout.digestBytes, 'base64url')
    this.#rows.push(row)
    this.#idHashes.push(textHash(clip.clipId))
    this.#videoHashes.push(textHash(clip.videoId))
    return row
  }

  /** The pieces of the file. `wordsOf` is asked for each clip once, in the order of rows. */
  finish(wordsOf: (row: number) => ClipWords): Uint8Array[] {
    for (; this.#nextRow < this.#rowCount; this.#nextRow++) this.#json.add('')
    const rows = this.#rows.view()
    const focusWords = new Uint32Array(this.#rowCount * bands.length).fill(layout.none)
    const focusStarts = new Uint32Array(this.#rowCount * bands.length)
    const terms: Uint8Array[] = []
    const termsAt = new Uint32Array(this.#rowCount + 1)
    for (const row of rows) {
      const { focus, termVector } = wordsOf(row)
      terms.push(termVector)
      termsAt[row + 1] = termVector.length
      for (const [band, found] of focus.entries()) {
        if (!found) continue
        focusWords[row * bands.length + band] = found.row
        focusStarts[row * bands.length + band] = found.tStartMs
      }
    }
    for (let row = 0; row < this.#rowCount; row++) termsAt[row + 1]! += termsAt[row]!
    const endings = new TextColumnWriter()
    for (const ending of this.#endings.keys()) endings.add(ending)
    const languages = this.#codes.map((code) => [
      codeNumber(code),
      this.#bases.get(code)!,
      this.#ordinals[code]!,
    ])
    return writeTable(layout.tableName, {
      languages: Uint32Array.from(languages.flat()),
      ...this.#json.finish('json'),
      endingNumbers: this.#endingNumbers,
      ...endings.finish('endings'),
      facets: this.#facets,
      revisions: this.#revisions,
      wordCounts: this.#wordCounts,
      indexedAt: this.#indexedAt,
      digests: this.#digests,
      focusWords,
      focusStarts,
      termsAt,
      terms,
      ...this.#channels.finish(),
      byId: slotsOf(rows, this.#idHashes.view()),
      byVideo: slotsOf(rows, this.#videoHashes.view()),
    })
  }

  /** Adds the JSON of a clip, and the number of its ending. */
  #addJson(row: number, { embedUrl, watchUrl, ...clip }: FeedClip): void {
    const ending = JSON.stringify({ embedUrl, watchUrl }).replaceAll(clip.videoId, layout.videoMark)
    this.#json.add(JSON.stringify(clip).slice(0, -1))
    this.#endingNumbers[row] = this.#endings.getOrInsert(`,${ending.slice(1)}`, this.#endings.size)
  }
}

/** A hash table of the rows of clips; `hashes` are by clip. */
function slotsOf(rows: Uint32Array, hashes: Uint32Array): Uint32Array {
  const clips = buildSlots(rows.keys(), rows.length, (clip) => hashes[clip]!)
  return clips.map((slot) => (slot === 0 ? 0 : rows[slot - 1]! + 1))
}
