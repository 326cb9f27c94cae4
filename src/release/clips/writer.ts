import type { FeedClip } from '#contract/clip.ts'
import { levelRank } from '#contract/levels.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { bytesHash } from '#kit/text-hash.ts'
import { buildSlots } from '../hash-slots.ts'
import { rowBases } from '../row-bases.ts'
import { codeNumber, writeTable } from '../table-file.ts'
import { ChannelWriter, facetOf } from './facets.ts'
import * as layout from './layout.ts'
import type { ClipTable } from './reader.ts'
import { TailWriter } from './tails.ts'

/** What the table stores of a clip itself. */
export interface ClipFields extends layout.ClipNumbers {
  clip: FeedClip
  indexedAtMs: number
}

/** A clip as it goes into the table. */
export interface ClipEntry extends ClipFields {
  ordinal: number
  /** Which of its records is published, from 1. */
  revision: number
  /** Of the record and of the transcript: 96 bits, base64url. */
  recordDigest: string
  transcriptDigest: string
}

/** A focus word: where its entry stands in the table of words, and when it is first said. */
export type Focus = { entryAt: number; tStartMs: number } | null

const maxRevision = 0xffff
const maxVideoIdLength = 255

/** Builds the table clip by clip. Memory holds bytes, not objects. */
export class ClipTableWriter {
  readonly #languages: string[] = []
  /** By clip as added. */
  readonly #columns = {
    language: new GrowingUint32Array(),
    ordinal: new GrowingUint32Array(),
    tail: new GrowingUint32Array(),
    facet: new GrowingUint32Array(),
    /** The number, from 1, of the table that the clip is carried from; 0 if it was added. */
    table: new GrowingUint32Array(),
    /** Its row there, or where its record begins in `#records`. */
    place: new GrowingUint32Array(),
  }
  /** The records of the clips that were added, with zeros for what `finish` fills in. */
  readonly #records = new ByteWriter()
  readonly #tails = new TailWriter()
  readonly #channels = new ChannelWriter()
  readonly #carried: Carried[] = []
  /** Of all records. */
  #sizeBytes = 0

  get count(): number {
    return this.#columns.ordinal.length
  }

  /**
   * Adds a clip. Returns its number, by which `finish` asks for its focus words.
   *
   * @throws {RangeError} the table cannot hold it
   */
  add(entry: ClipEntry): number {
    const { clip, ordinal } = entry
    const { videoId, language, level, durationS, channel } = clip
    checkEntry(entry)
    const { text, tail } = layout.clipParts(clip)
    const place = this.#records.length
    writeRecord(this.#records, entry, text)
    this.#sizeBytes += this.#records.length - place
    return this.#push({
      language,
      ordinal,
      tail: this.#tails.add(tail, videoId),
      facet: facetOf(levelRank(level), durationS, this.#channels.add(channel.id)),
      table: 0,
      place,
    })
  }

  /**
   * Adds a clip as it is in another table, which stays open until `finish`, but for its focus
   * words. Returns its number, as `add` does.
   */
  carry(table: ClipTable, row: number): number {
    this.#sizeBytes += table.record(row).length
    const number = this.#numberOf(table)
    const { tails, channels } = this.#carried[number - 1]!
    const tail = tails.getOrInsertComputed(table.tail(row), () => {
      const clip = table.clip(row)
      return this.#tails.add(layout.clipParts(clip).tail, clip.videoId)
    })
    const channel = channels.getOrInsertComputed(table.facets.channelOf(row), (there) =>
      this.#channels.add(table.facets.channelId(there)),
    )
    const facet = facetOf(table.level(row), table.durationS(row), channel)
    return this.#push({ ...table.placeOf(row), tail, facet, table: number, place: row })
  }

  #push(added: { language: string } & Record<'ordinal' | 'tail' | 'facet' | 'table' | 'place', number>) {
    const columns = this.#columns
    columns.language.push(this.#languageNumber(added.language))
    columns.ordinal.push(added.ordinal)
    columns.tail.push(added.tail)
    columns.facet.push(added.facet)
    columns.table.push(added.table)
    columns.place.push(added.place)
    return this.count - 1
  }

  /** The number of a table that clips are carried from. */
  #numberOf(table: ClipTable): number {
    const at = this.#carried.findIndex((from) => from.table === table)
    return at >= 0 ? at + 1 : this.#carried.push({ table, tails: new Map(), channels: new Map() })
  }

  /**
   * The pieces of the file. `ordinals` holds by language how many were ever given; `focusOf`
   * returns the focus words of a clip by band.
   */
  finish(
    ordinals: Readonly<Record<string, number>>,
    focusOf: (added: number) => readonly Focus[],
  ): Uint8Array[] {
    const { codes, base, rowCount } = rowBases(ordinals)
    const { language, ordinal, facet } = this.#columns
    const rowOf = (added: number) => base.get(this.#languages[language.at(added)]!)! + ordinal.at(added)
    const addedAt = new Uint32Array(rowCount).fill(layout.none)
    for (let added = 0; added < this.count; added++) addedAt[rowOf(added)] = added

    const recordAt = new Uint32Array(rowCount).fill(layout.none)
    const facets = new Uint32Array(rowCount).fill(layout.none)
    const records = new ByteWriter(this.#sizeBytes)
    const numberOf = this.#languages.map((code) => codes.indexOf(code))
    for (let row = 0; row < rowCount; row++) {
      const added = addedAt[row]!
      if (added === layout.none) continue
      recordAt[row] = records.length / 4
      facets[row] = facet.at(added)
      this.#finishRecord(records, added, numberOf[language.at(added)]!, focusOf(added))
    }
    const live = () => addedAt.keys().filter((row) => addedAt[row] !== layout.none)
    const hashOf = (row: number, at: number, length: number) => {
      const from = (recordAt[row]! + layout.textAt) * 4 + at
      return bytesHash(records.bytes, from, from + length)
    }
    return writeTable(layout.tableName, {
      languages: Uint32Array.from(
        codes.flatMap((code) => [codeNumber(code), base.get(code)!, ordinals[code]!]),
      ),
      recordAt,
      records: records.view(),
      ...this.#tails.finish(),
      facets,
      ...this.#channels.finish(),
      byId: buildSlots(live(), this.count, (row) => hashOf(row, 0, layout.idLength)),
      // The lowest byte of the shape is the length of the video id.
      byVideo: buildSlots(live(), this.count, (row) =>
        hashOf(row, layout.videoAt, records.bytes[(recordAt[row]! + layout.shapeAt) * 4]!),
      ),
    })
  }

  /** Appends the record of a clip with what depends on the other clips of the release. */
  #finishRecord(records: ByteWriter, added: number, language: number, focus: readonly Focus[]): void {
    const from = records.length
    this.#copyRecord(records, added)
    const setWord = (at: number, value: number) => records.bytes.writeUInt32LE(value, from + at * 4)
    const durationS = records.bytes[from + layout.durationAt * 4]!
    setWord(layout.durationAt, language * 256 + durationS)
    setWord(layout.tailAt, this.#columns.tail.at(added))
    for (const [band, found] of focus.entries()) {
      setWord(layout.focusAt + band * 2, found ? found.entryAt : layout.none)
      setWord(layout.focusAt + band * 2 + 1, found ? found.tStartMs : 0)
    }
  }

  #copyRecord(records: ByteWriter, added: number): void {
    const [table, place] = [this.#columns.table.at(added), this.#columns.place.at(added)]
    if (table > 0) return records.copy(this.#carried[table - 1]!.table.record(place))
    const { bytes } = this.#records
    const length = bytes.readUInt32LE(place + layout.lengthAt * 4)
    records.copy(bytes, place, place + layout.recordBytes(length))
  }

  #languageNumber(language: string): number {
    const at = this.#languages.indexOf(language)
    return at >= 0 ? at : this.#languages.push(language) - 1
  }
}

/** A table that clips are carried from, and the numbers here of its tails and channels. */
interface Carried {
  table: ClipTable
  tails: Map<number, number>
  channels: Map<number, number>
}

/** Appends a record. Tail, language and focus words are zeros. */
function writeRecord(out: ByteWriter, entry: ClipEntry, text: string): void {
  const { clip, revision, recordDigest, transcriptDigest, indexedAtMs } = entry
  const { videoId, level, durationS } = clip
  const bytes = Buffer.from(text)
  const fixed = new Uint32Array(layout.digestsAt)
  fixed[layout.lengthAt] = bytes.length
  fixed[layout.shapeAt] = (revision * 256 + levelRank(level)) * 256 + videoId.length
  fixed[layout.durationAt] = durationS
  out.copy(Buffer.from(fixed.buffer))
  out.copy(digestOf(recordDigest))
  out.copy(digestOf(transcriptDigest))
  for (const name of layout.numberNames) out.u32(entry[name])
  out.u32(indexedAtMs % 2 ** 32)
  out.u32(Math.floor(indexedAtMs / 2 ** 32))
  out.copy(bytes)
  out.align(4)
}

function checkEntry({ clip: { clipId, videoId }, revision }: ClipEntry): void {
  const fault = (what: string) => new RangeError(`cannot list the clip "${clipId}": ${what}`)
  if (clipId.length !== layout.idLength)
    throw fault(`its id must have ${layout.idLength} characters, it has ${clipId.length}`)
  if (videoId.length > maxVideoIdLength)
    throw fault(`its video id must have at most ${maxVideoIdLength} characters, it has ${videoId.length}`)
  if (revision > maxRevision) throw fault(`it must have at most ${maxRevision} records, it has ${revision}`)
}

function digestOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== layout.digestBytes)
    throw new RangeError(`cannot write the digest "${text}": it must have ${layout.digestBytes} bytes`)
  return bytes
}
