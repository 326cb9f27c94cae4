import { levels } from '#contract/levels.ts'
import { ByteReader } from '#kit/byte-reader.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { rowBases } from '../row-bases.ts'
import { codeNumber, codeOfNumber, openTable, writeTable } from '../table-file.ts'

/**
 * The table of the words said in each clip, for the next build: written and opened (FORMAT.md,
 * "postings.bin").
 */

/** A word as it is said in a clip. */
export interface Posting {
  wordId: number
  occurrenceCount: number
  /** Where it is first said, in milliseconds. */
  tStartMs: number
}

/**
 * What the table holds of a clip: its six shares, then three varints for every word said in it.
 * Empty for a withdrawn clip.
 */
export type Postings = Uint8Array

/**
 * Packs what is to be known of a clip: the `knownShare` of an item for a word of each level, A1 to
 * C2, in hundredths; and the words said in it.
 */
export function packPostings(shares: readonly number[], postings: Iterable<Posting>): Postings {
  const out = new ByteWriter(512)
  for (const share of shares) out.byte(share)
  for (const { wordId, occurrenceCount, tStartMs } of postings) {
    out.varint(wordId)
    out.varint(occurrenceCount)
    out.varint(tStartMs)
  }
  return new Uint8Array(out.view())
}

/** How much of a clip a learner knows, by the rank of a level, in hundredths. */
export function sharesOf(packed: Postings): Uint8Array {
  return packed.subarray(0, levels.length)
}

/**
 * Reads the words said in clips one by one. Of a corpus they are millions, so no object is made of
 * any: each is in the fields until the next.
 */
export class PostingReader implements Posting {
  wordId = 0
  occurrenceCount = 0
  tStartMs = 0
  #reader = new ByteReader<Postings>(new Uint8Array())

  /** Begins with a clip; it is read with `while (reader.next())`. */
  begin(packed: Postings): this {
    this.#reader = new ByteReader(packed)
    this.#reader.at = levels.length
    return this
  }

  next(): boolean {
    const reader = this.#reader
    if (reader.at >= reader.bytes.length) return false
    this.wordId = reader.varint()
    this.occurrenceCount = reader.varint()
    this.tStartMs = reader.varint()
    return true
  }
}

/** Puts the table together clip by clip. */
export class PostingsTableWriter {
  /**
   * `from` and `to` tell where the words of each stand in `#added`; those of a clip that is carried
   * over stand in `table`.
   */
  readonly #clips: {
    language: string
    ordinal: number
    table: PostingsTable | null
    from: number
    to: number
  }[] = []
  readonly #added = new ByteWriter()
  #sizeBytes = 0

  /** Adds a clip. */
  add(language: string, ordinal: number, postings: Postings): void {
    const from = this.#added.length
    this.#added.copy(bufferOf(postings))
    this.#clips.push({ language, ordinal, from, to: this.#added.length, table: null })
    this.#sizeBytes += postings.length
  }

  /** Adds a clip of another table, which stays open until the end. */
  carry(table: PostingsTable, language: string, ordinal: number): void {
    this.#clips.push({ language, ordinal, table, from: 0, to: 0 })
    this.#sizeBytes += table.postings(language, ordinal).length
  }

  /** What was added of a clip, clips counted as they were added. */
  postings(added: number): Buffer {
    const { language, ordinal, table, from, to } = this.#clips[added]!
    return table ? bufferOf(table.postings(language, ordinal)) : this.#added.bytes.subarray(from, to)
  }

  /** The pieces of the file. `ordinals` tells by language how many were ever given. */
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

  /** What it holds of a clip: a view. */
  postings(language: string, ordinal: number): Postings {
    const base = this.#bases.get(language)
    if (base === undefined)
      throw new RangeError(`cannot tell what is said in "${language}": the table has no such clips`)
    const row = base + ordinal
    return this.#packed.subarray(this.#at[row], this.#at[row + 1])
  }
}

/** A view of the same bytes. */
function bufferOf({ buffer, byteOffset, length }: Postings): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}
