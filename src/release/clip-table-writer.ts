import { levelRank } from '#contract/levels.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { bytesHash } from '#kit/text-hash.ts'
import {
  beforeId,
  digestBytes,
  digestsAt,
  durationAt,
  fixedWords,
  focusAt,
  idLength,
  lengthAt,
  none,
  shapeAt,
  tailAt,
  videoAt,
  type ClipEntry,
  type RawClip,
} from './clip-record.ts'
import type { ClipTable } from './clip-table.ts'
import { TailWriter } from './clip-tails.ts'
import { buildSlots } from './hash-slots.ts'
import { rowBases } from './row-bases.ts'
import { codeNumber, writeTable } from './table-file.ts'

/** A focus word on its way into the table: its row there, and milliseconds. */
export type Focus = { wordRow: number; tStartMs: number } | null

const mostRevisions = 0xffff

/** Puts the table together clip by clip; memory holds bytes, not objects. */
export class ClipTableWriter {
  readonly #languages: string[] = []
  /** By clip as added. */
  readonly #columns = {
    language: new GrowingUint32Array(),
    ordinal: new GrowingUint32Array(),
    shape: new GrowingUint32Array(),
    durationS: new GrowingUint32Array(),
    tail: new GrowingUint32Array(),
    textFrom: new GrowingUint32Array(),
  }
  readonly #digests = new ByteWriter()
  readonly #texts = new ByteWriter()
  readonly #tails = new TailWriter()
  /** By table and number in it: the numbers of tails here. */
  readonly #carriedTails = new Map<ClipTable, Map<number, number>>()

  get count(): number {
    return this.#columns.ordinal.length
  }

  /** Adds a clip; gives the number by which `focusOf` will be asked for it. @throws {RangeError} it is not one that the table can hold */
  add(entry: ClipEntry): number {
    checkEntry(entry)
    const { videoId, level, json, revision } = entry
    const { head, tail } = cutJson(json)
    return this.#add({
      ...entry,
      shape: (revision * 256 + levelRank(level)) * 256 + videoId.length,
      tail: this.#tails.add(tail, videoId),
      digests: Buffer.concat([digestOf(entry.recordDigest), digestOf(entry.transcriptDigest)]),
      text: Buffer.from(head),
    })
  }

  /** Adds a clip as it lies in another table, but for its focus words; gives its number as `add` does. */
  carry(table: ClipTable, row: number): number {
    const raw = table.raw(row)
    return this.#add({ ...raw, tail: this.#carriedTail(table, row, raw.tail) })
  }

  #add({ language, ordinal, shape, durationS, tail, digests, text }: RawClip): number {
    const columns = this.#columns
    columns.language.push(this.#languageNumber(language))
    columns.ordinal.push(ordinal)
    columns.shape.push(shape)
    columns.durationS.push(durationS)
    columns.tail.push(tail)
    columns.textFrom.push(this.#texts.length)
    this.#digests.copy(digests)
    this.#texts.copy(text)
    return this.count - 1
  }

  #carriedTail(table: ClipTable, row: number, tail: number): number {
    const known = this.#carriedTails.get(table) ?? new Map<number, number>()
    this.#carriedTails.set(table, known)
    let number = known.get(tail)
    if (number === undefined) {
      const { json, videoId } = table.entry(row)
      known.set(tail, (number = this.#tails.add(cutJson(json).tail, videoId)))
    }
    return number
  }

  /** The pieces of the file. `ordinals` tells by language how many were ever given; `focusOf` the focus words of a clip as added, by band. */
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
    const records = new ByteWriter(this.#texts.length + this.count * (fixedWords * 4 + 2))
    for (let row = 0; row < rowCount; row++) {
      const added = addedAt[row]!
      if (added === none) continue
      recordAt[row] = records.length / 4
      this.#writeRecord(records, added, focusOf)
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
      byId: buildSlots(live(), this.count, (row) => hashOf(row, beforeId.length, idLength)),
      byVideo: buildSlots(live(), this.count, (row) =>
        hashOf(row, videoAt, this.#columns.shape.at(addedAt[row]!) & 255),
      ),
    })
  }

  #writeRecord(records: ByteWriter, added: number, focusOf: (added: number) => readonly Focus[]): void {
    const { shape, tail, durationS, textFrom } = this.#columns
    const from = textFrom.at(added)
    const to = added + 1 < this.count ? textFrom.at(added + 1) : this.#texts.length
    const fixed = new Uint32Array(digestsAt)
    fixed[lengthAt] = to - from
    fixed[shapeAt] = shape.at(added)
    fixed[tailAt] = tail.at(added)
    fixed[durationAt] = durationS.at(added)
    for (const [band, focus] of focusOf(added).entries()) {
      fixed[focusAt + band * 2] = focus ? focus.wordRow : none
      fixed[focusAt + band * 2 + 1] = focus ? focus.tStartMs : 0
    }
    records.copy(Buffer.from(fixed.buffer))
    records.copy(this.#digests.bytes, added * 2 * digestBytes, (added + 1) * 2 * digestBytes)
    records.copy(this.#texts.bytes, from, to)
    records.align(4)
  }

  #languageNumber(language: string): number {
    const known = this.#languages.indexOf(language)
    return known >= 0 ? known : this.#languages.push(language) - 1
  }
}

/** The JSON of a clip as its record holds it, and its tail. A title may hold `"channel":` only with its quotes escaped, so the first is the field. */
function cutJson(json: string): { head: string; tail: string } {
  const cut = json.indexOf('"channel":')
  return { head: json.slice(0, cut), tail: json.slice(cut) }
}

function checkEntry({ clipId, videoId, json, revision }: ClipEntry): void {
  const fault = (what: string) => new RangeError(`cannot list the clip "${clipId}": ${what}`)
  const start = `${beforeId}${clipId}","videoId":"${videoId}"`
  if (clipId.length !== idLength || !json.startsWith(start))
    throw fault(`its JSON must begin ${start}, got ${json.slice(0, start.length)}`)
  if (!json.includes('"channel":')) throw fault('its JSON must have a channel')
  if (videoId.length > 255)
    throw fault(`its video id must have at most 255 characters, got ${videoId.length}`)
  if (revision > mostRevisions) throw fault(`it must have at most ${mostRevisions} records, got ${revision}`)
}

function digestOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== digestBytes)
    throw new RangeError(`cannot write the digest "${text}": it must be ${digestBytes} bytes`)
  return bytes
}
