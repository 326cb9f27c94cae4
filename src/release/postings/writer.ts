import { bufferOf, ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { rowBases } from '../row-bases.ts'
import { codeNumber, writeTable } from '../table-file.ts'
import { tableName, type Postings } from './layout.ts'
import type { PostingsTable } from './reader.ts'

/** Builds the table clip by clip. */
export class PostingsTableWriter {
  /** By clip, in the order of adding. */
  readonly #languages: string[] = []
  readonly #ordinals = new GrowingUint32Array()
  /** Where its postings end in `#added`; those of a carried clip are empty there. */
  readonly #ends = new GrowingUint32Array()
  /** The table that has its postings, if it is carried. */
  readonly #tables: (PostingsTable | null)[] = []
  readonly #added = new ByteWriter()

  add(language: string, ordinal: number, postings: Postings): void {
    this.#added.copy(bufferOf(postings))
    this.#push(language, ordinal, null)
  }

  /** Adds a clip of another table. Pieces of the file are views of that table, too. */
  carry(table: PostingsTable, language: string, ordinal: number): void {
    this.#push(language, ordinal, table)
  }

  #push(language: string, ordinal: number, table: PostingsTable | null): void {
    this.#languages.push(language)
    this.#ordinals.push(ordinal)
    this.#ends.push(this.#added.length)
    this.#tables.push(table)
  }

  /** The postings of a clip, counted in the order of adding. */
  postings(added: number): Buffer {
    const table = this.#tables[added]
    if (table) return bufferOf(table.postings(this.#languages[added]!, this.#ordinals.at(added)))
    const from = added === 0 ? 0 : this.#ends.at(added - 1)
    return this.#added.bytes.subarray(from, this.#ends.at(added))
  }

  /**
   * The pieces of the file. They are views of the postings as they were added, because these take
   * half a gigabyte for a million clips. `ordinals` holds by language how many were ever given.
   */
  finish(ordinals: Readonly<Record<string, number>>): Uint8Array[] {
    const { codes, base, rowCount } = rowBases(ordinals)
    const addedAt = new Int32Array(rowCount).fill(-1)
    for (const [added, language] of this.#languages.entries())
      addedAt[base.get(language)! + this.#ordinals.at(added)] = added
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
