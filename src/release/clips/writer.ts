import { levelRank } from '#contract/levels.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { bytesHash } from '#kit/text-hash.ts'
import {
  digestBytes,
  digestsAt,
  fixedWords,
  focusAt,
  idLength,
  lengthAt,
  middleAt,
  none,
  clipOpening,
  recordBytes,
  shapeAt,
  tailAt,
  videoAt,
  type ClipEntry,
} from './record.ts'
import { ChannelWriter, facetOf } from './facets.ts'
import type { ClipTable } from './reader.ts'
import { cutJson, MiddleWriter, TailWriter, type CutJson } from './texts.ts'
import { buildSlots } from '../hash-slots.ts'
import { rowBases } from '../row-bases.ts'
import { codeNumber, writeTable } from '../table-file.ts'

/**
 * A focus word on its way into the table: where its entry stands in the table of words, and
 * milliseconds.
 */
export type Focus = { entryAt: number; tStartMs: number } | null

const mostRevisions = 0xffff

/** Puts the table together clip by clip; memory holds bytes, not objects. */
export class ClipTableWriter {
  readonly #languages: string[] = []
  /** By clip as added. */
  readonly #columns = {
    language: new GrowingUint32Array(),
    ordinal: new GrowingUint32Array(),
    tail: new GrowingUint32Array(),
    middle: new GrowingUint32Array(),
    facet: new GrowingUint32Array(),
    /** Number of the table that it is carried from, counted from 1; 0 where it was added here. */
    table: new GrowingUint32Array(),
    /** Its row there, or where its record begins in `#records`. */
    place: new GrowingUint32Array(),
  }
  /** The records that were added here, but for their tails, middles and focus words. */
  readonly #records = new ByteWriter()
  readonly #tails = new TailWriter()
  readonly #middles = new MiddleWriter()
  readonly #channels = new ChannelWriter()
  readonly #carried: Carried[] = []
  /** Of all records. */
  #sizeBytes = 0

  get count(): number {
    return this.#columns.ordinal.length
  }

  /**
   * Adds a clip; gives the number by which `focusOf` will be asked for it.
   *
   * @throws {RangeError} it is not one that the table can hold
   */
  add(entry: ClipEntry): number {
    const { text, middle, tail } = cutEntry(entry)
    const place = this.#records.length
    writeRecord(this.#records, entry, Buffer.from(text))
    this.#sizeBytes += this.#records.length - place
    const shared = {
      tail: this.#tails.add(tail, entry.videoId),
      middle: this.#middles.add(middle, entry.durationS),
      facet: facetOf(levelRank(entry.level), entry.durationS, this.#channels.add(entry.channelId)),
    }
    return this.#note(entry, shared, 0, place)
  }

  /**
   * Adds a clip as it lies in another table, which stays open until the end, but for its focus
   * words; gives its number as `add` does.
   */
  carry(table: ClipTable, row: number): number {
    this.#sizeBytes += table.record(row).length
    const number = this.#numberOf(table)
    const from = this.#carried[number - 1]!
    const shared = { ...this.#carriedTexts(from, row), facet: this.#carriedFacet(from, row) }
    return this.#note(table.placeOf(row), shared, number, row)
  }

  #note(
    { language, ordinal }: Pick<ClipEntry, 'language' | 'ordinal'>,
    { tail, middle, facet }: { tail: number; middle: number; facet: number },
    table: number,
    place: number,
  ): number {
    const columns = this.#columns
    columns.language.push(this.#languageNumber(language))
    columns.ordinal.push(ordinal)
    columns.tail.push(tail)
    columns.middle.push(middle)
    columns.facet.push(facet)
    columns.table.push(table)
    columns.place.push(place)
    return this.count - 1
  }

  /** The number of a table that is carried from, as in the columns. */
  #numberOf(table: ClipTable): number {
    const known = this.#carried.findIndex((from) => from.table === table)
    return known >= 0
      ? known + 1
      : this.#carried.push({ table, tails: new Map(), middles: new Map(), channels: new Map() })
  }

  /** The numbers here of the tail and the middle of a clip that is carried. */
  #carriedTexts({ table, tails, middles }: Carried, row: number): { tail: number; middle: number } {
    let tail = tails.get(table.tail(row))
    let middle = middles.get(table.middle(row))
    if (tail === undefined || middle === undefined) {
      const entry = table.entry(row)
      const cut = cutEntry(entry)
      tails.set(table.tail(row), (tail ??= this.#tails.add(cut.tail, entry.videoId)))
      middles.set(table.middle(row), (middle ??= this.#middles.add(cut.middle, entry.durationS)))
    }
    return { tail, middle }
  }

  #carriedFacet({ table, channels }: Carried, row: number): number {
    const there = table.facets.channelOf(row)
    let channel = channels.get(there)
    if (channel === undefined)
      channels.set(there, (channel = this.#channels.add(table.facets.channelId(there))))
    return facetOf(table.level(row), table.durationS(row), channel)
  }

  /**
   * The pieces of the file. `ordinals` tells by language how many were ever given; `focusOf` the
   * focus words of a clip as added, by band.
   */
  finish(
    ordinals: Readonly<Record<string, number>>,
    focusOf: (added: number) => readonly Focus[],
  ): Uint8Array[] {
    const { codes, base, rowCount } = rowBases(ordinals)
    const rowOf = (added: number) =>
      base.get(this.#languages[this.#columns.language.at(added)]!)! + this.#columns.ordinal.at(added)
    const addedAt = new Uint32Array(rowCount).fill(none)
    for (let added = 0; added < this.count; added++) addedAt[rowOf(added)] = added

    const recordAt = new Uint32Array(rowCount).fill(none)
    const facets = new Uint32Array(rowCount).fill(none)
    const records = new ByteWriter(this.#sizeBytes)
    for (let row = 0; row < rowCount; row++) {
      const added = addedAt[row]!
      if (added === none) continue
      recordAt[row] = records.length / 4
      facets[row] = this.#columns.facet.at(added)
      this.#finishRecord(records, added, focusOf(added))
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
      ...this.#middles.finish(),
      facets,
      ...this.#channels.finish(),
      byId: buildSlots(live(), this.count, (row) => hashOf(row, 0, idLength)),
      // The lowest byte of the shape is the length of the video id.
      byVideo: buildSlots(live(), this.count, (row) =>
        hashOf(row, videoAt, records.bytes[(recordAt[row]! + shapeAt) * 4]!),
      ),
    })
  }

  /** Appends the record of a clip with what only the whole release tells of it. */
  #finishRecord(records: ByteWriter, added: number, focus: readonly Focus[]): void {
    const from = records.length
    this.#copyRecord(records, added)
    const setWord = (word: number, value: number) => records.bytes.writeUInt32LE(value, from + word * 4)
    setWord(tailAt, this.#columns.tail.at(added))
    setWord(middleAt, this.#columns.middle.at(added))
    for (const [band, found] of focus.entries()) {
      setWord(focusAt + band * 2, found ? found.entryAt : none)
      setWord(focusAt + band * 2 + 1, found ? found.tStartMs : 0)
    }
  }

  #copyRecord(records: ByteWriter, added: number): void {
    const [table, place] = [this.#columns.table.at(added), this.#columns.place.at(added)]
    if (table > 0) return records.copy(this.#carried[table - 1]!.table.record(place))
    const { bytes } = this.#records
    records.copy(bytes, place, place + recordBytes(bytes.readUInt32LE(place + lengthAt * 4)))
  }

  #languageNumber(language: string): number {
    const known = this.#languages.indexOf(language)
    return known >= 0 ? known : this.#languages.push(language) - 1
  }
}

/**
 * A table that clips are carried from, and by their numbers there the numbers here of the texts and
 * channels that its clips have in common.
 */
interface Carried {
  table: ClipTable
  tails: Map<number, number>
  middles: Map<number, number>
  channels: Map<number, number>
}

/** Appends a record. Tail, middle and focus words are zeros. */
function writeRecord(
  out: ByteWriter,
  { videoId, level, revision, recordDigest, transcriptDigest, wordCount, indexedAtMs }: ClipEntry,
  text: Buffer,
): void {
  const fixed = new Uint32Array(digestsAt)
  fixed[lengthAt] = text.length
  fixed[shapeAt] = (revision * 256 + levelRank(level)) * 256 + videoId.length
  out.copy(Buffer.from(fixed.buffer))
  out.copy(digestOf(recordDigest))
  out.copy(digestOf(transcriptDigest))
  out.u32(wordCount)
  out.u32(indexedAtMs % 2 ** 32)
  out.u32(Math.floor(indexedAtMs / 2 ** 32))
  out.copy(text)
  out.align(4)
}

function cutEntry({ clipId, videoId, json, revision }: ClipEntry): CutJson {
  const fault = (what: string) => new RangeError(`cannot list the clip "${clipId}": ${what}`)
  const start = `${clipOpening}${clipId}","videoId":"${videoId}"`
  if (clipId.length !== idLength || !json.startsWith(start))
    throw fault(`its JSON must begin ${start}, got ${json.slice(0, start.length)}`)
  if (videoId.length > 255)
    throw fault(`its video id must have at most 255 characters, got ${videoId.length}`)
  if (revision > mostRevisions) throw fault(`it must have at most ${mostRevisions} records, got ${revision}`)
  const cut = cutJson(json)
  if (!cut) throw fault('its JSON must have a language, and behind it a channel')
  return cut
}

function digestOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== digestBytes)
    throw new RangeError(`cannot write the digest "${text}": it must be ${digestBytes} bytes`)
  return bytes
}
