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

  add(language: string, ordinal: number, postings: Postings): void {
    const from = this.#added.length
    this.#added.copy(bufferOf(postings))
    this.#clips.push({ language, ordinal, from, to: this.#added.length, table: null })
  }

  /** Adds a clip of another table, which stays open until `finish`. */
  carry(table: PostingsTable, language: string, ordinal: number): void {
    this.#clips.push({ language, ordinal, table, from: 0, to: 0 })
  }

  /** The postings of a clip, counted in the order of adding. */
  postings(added: number): Buffer {
    const { language, ordinal, table, from, to } = this.#clips[added]!
    return table ? bufferOf(table.postings(language, ordinal)) : this.#added.bytes.subarray(from, to)
  }

  /**
   * The pieces of the file. They are views of the postings as they were added, because these take
   * half a gigabyte for a million clips. `ordinals` holds by language how many were ever given.
   */
  finish(ordinals: Readonly<Record<string, number>>): Uint8Array[] {
    const { codes, base, rowCount } = rowBases(ordinals)
    const addedAt = new Int32Array(rowCount).fill(-1)
    for (const [added, { language, ordinal }] of this.#clips.entries())
      addedAt[base.get(language)! + ordinal] = added
    const at = new Uint32Array(rowCount + 1)
    const packed: Buffer[] = []
    for (const [row, added] of addedAt.entries()) {
      const postings = added >= 0 ? this.postings(added) : noBytes
      at[row + 1] = at[row]! + postings.length
      if (postings.length > 0) append(packed, postings)
    }
    const languages = Uint32Array.from(codes.flatMap((code) => [codeNumber(code), base.get(code)!]))
    return writeTable(tableName, { languages, at, packed })
  }
}

const noBytes = Buffer.alloc(0)

/** Appends a piece. If it stands right behind the last one in memory, both become one. */
function append(pieces: Buffer[], piece: Buffer): void {
  const last = pieces.at(-1)
  if (last?.buffer === piece.buffer && last.byteOffset + last.length === piece.byteOffset)
    pieces[pieces.length - 1] = Buffer.from(last.buffer, last.byteOffset, last.length + piece.length)
  else pieces.push(piece)
}
