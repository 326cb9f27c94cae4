import { ByteReader } from '#kit/byte-reader.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { rowBases } from './row-bases.ts'
import { codeNumber, codeOfNumber, openTable, writeTable } from './table-file.ts'

/** The table of the words said in each clip, for the next build: written and opened (FORMAT.md, "postings.bin"). */

/** A word as it is said in a clip. */
export interface Posting {
  wordId: number
  occurrenceCount: number
  /** Where it is first said, in milliseconds. */
  tStartMs: number
}

/** The words said in a clip as the table holds them: three varints each. */
export type Postings = Uint8Array

/** Packs the words said in a clip. */
export function packPostings(postings: Iterable<Posting>): Postings {
  const out = new ByteWriter(512)
  for (const { wordId, occurrenceCount, tStartMs } of postings) {
    out.varint(wordId)
    out.varint(occurrenceCount)
    out.varint(tStartMs)
  }
  return new Uint8Array(out.view())
}

/** The words said in a clip. */
export function unpackPostings(packed: Postings): Posting[] {
  const postings: Posting[] = []
  const reader = new ByteReader(packed)
  while (reader.at < packed.length)
    postings.push({ wordId: reader.varint(), occurrenceCount: reader.varint(), tStartMs: reader.varint() })
  return postings
}

/** Puts the table together clip by clip. */
export class PostingsTableWriter {
  readonly #clips: { language: string; ordinal: number; from: number; to: number }[] = []
  readonly #packed = new ByteWriter()

  /** Adds a clip. */
  add(language: string, ordinal: number, postings: Postings): void {
    const from = this.#packed.length
    this.#packed.copy(Buffer.from(postings.buffer, postings.byteOffset, postings.length))
    this.#clips.push({ language, ordinal, from, to: this.#packed.length })
  }

  /** The words of a clip, clips counted as they were added. */
  postings(added: number): Buffer {
    const { from, to } = this.#clips[added]!
    return this.#packed.bytes.subarray(from, to)
  }

  /** The pieces of the file. `ordinals` tells by language how many were ever given. */
  finish(ordinals: Readonly<Record<string, number>>): Uint8Array[] {
    const { codes, base, rowCount } = rowBases(ordinals)
    const addedAt = new Int32Array(rowCount).fill(-1)
    for (const [added, { language, ordinal }] of this.#clips.entries())
      addedAt[base.get(language)! + ordinal] = added
    const at = new Uint32Array(rowCount + 1)
    const packed = new ByteWriter(this.#packed.length)
    for (const [row, added] of addedAt.entries()) {
      if (added >= 0) packed.copy(this.postings(added))
      at[row + 1] = packed.length
    }
    const languages = Uint32Array.from(codes.flatMap((code) => [codeNumber(code), base.get(code)!]))
    return writeTable('postings', { languages, at, packed: packed.view() })
  }
}

/** The words said in each clip of a release. */
export class PostingsTable {
  readonly #bases = new Map<string, number>()
  readonly #at: Uint32Array
  readonly #packed: Uint8Array

  /** @throws {SyntaxError} when the bytes are no table of postings of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, 'postings', path)
    this.#at = sections.u32('at')
    this.#packed = sections.u8('packed')
    const languages = sections.u32('languages')
    for (let i = 0; i < languages.length; i += 2)
      this.#bases.set(codeOfNumber(languages[i]!), languages[i + 1]!)
  }

  /** The words of a clip: a view. */
  postings(language: string, ordinal: number): Postings {
    const row = this.#bases.get(language)! + ordinal
    return this.#packed.subarray(this.#at[row], this.#at[row + 1])
  }
}
