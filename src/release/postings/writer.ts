import { bufferOf, ByteWriter } from '#kit/byte-writer.ts'
import { rowBases } from '../row-bases.ts'
import { codeNumber, writeTable } from '../table-file.ts'
import { tableName, type Postings } from './layout.ts'
import type { PostingsTable } from './reader.ts'

/** A clip as added: the bytes `from … to` of `#added`, or all that `table` has of a carried one. */
interface AddedClip {
  language: string
  ordinal: number
  table: PostingsTable | null
  from: number
  to: number
}

/** Builds the table clip by clip. */
export class PostingsTableWriter {
  readonly #clips: AddedClip[] = []
  readonly #added = new ByteWriter()
  #sizeBytes = 0

  add(language: string, ordinal: number, postings: Postings): void {
    const from = this.#added.length
    this.#added.copy(bufferOf(postings))
    this.#clips.push({ language, ordinal, from, to: this.#added.length, table: null })
    this.#sizeBytes += postings.length
  }

  /** Adds a clip of another table, which stays open until `finish`. */
  carry(table: PostingsTable, language: string, ordinal: number): void {
    this.#clips.push({ language, ordinal, table, from: 0, to: 0 })
    this.#sizeBytes += table.postings(language, ordinal).length
  }

  /** The postings of a clip, counted in the order of adding. */
  postings(added: number): Buffer {
    const { language, ordinal, table, from, to } = this.#clips[added]!
    return table ? bufferOf(table.postings(language, ordinal)) : this.#added.bytes.subarray(from, to)
  }

  /** The pieces of the file. `ordinals` holds by language how many were ever given. */
  finish(ordinals: Readonly<Record<string, number>>): Uint8Array[] {
    const { codes, base, rowCount } = rowBases(ordinals)
    const addedAt = new Int32Array(rowCount).fill(-1)
    for (const [added, { language, ordinal }] of this.#clips.entries())
      addedAt[base.get(language)! + ordinal] = added
    const at = new Uint32Array(rowCount + 1)
    const packed = new ByteWriter(this.#sizeBytes)
    for (const [row, added] of addedAt.entries()) {
      if (added >= 0) packed.copy(this.postings(added))
      at[row + 1] = packed.length
    }
    const languages = Uint32Array.from(codes.flatMap((code) => [codeNumber(code), base.get(code)!]))
    return writeTable(tableName, { languages, at, packed: packed.view() })
  }
}
