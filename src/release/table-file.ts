/**
 * The container of every table of a release: columns in named sections (FORMAT.md, "Tables"). A
 * table declares its columns once, and is written and opened by that.
 */

import { formatVersion } from './manifest.ts'
import { TextColumn, TextColumnWriter } from './text-column.ts'

const magic = Buffer.from('cliptabl', 'latin1')
const headBytes = 32
const entryBytes = 32
const nameBytes = 16

/**
 * The columns of a table and their kinds, in the order of the file: bytes, 32-bit numbers, or
 * texts, which take two sections (`text-column.ts`).
 */
export type Columns = Readonly<Record<string, Kind>>
type Kind = 'u8' | 'u32' | 'texts'

interface OpenedKinds {
  u8: Buffer<ArrayBuffer>
  u32: Uint32Array<ArrayBuffer>
  texts: TextColumn
}
interface WrittenKinds {
  u8: Uint8Array
  u32: Iterable<number>
  texts: Iterable<string | Uint8Array> | TextColumnWriter
}
/** The columns of an opened table: views of the file's bytes. */
export type Opened<C extends Columns> = { readonly [Name in keyof C]: OpenedKinds[C[Name]] }
/** What a table is written from. */
type Written<C extends Columns> = { readonly [Name in keyof C]: WrittenKinds[C[Name]] }

/** Bytes in pieces, or 32-bit words. */
type Section = readonly Uint8Array[] | Uint32Array
const bytesKind = 1
const wordsKind = 4

/** The most bytes of a section: places in it are numbers of 31 bits. */
const largestSection = 2 ** 31 - 1

/**
 * A table as the pieces of its file, in order. Bytes and words are not copied.
 *
 * @throws {RangeError} a section is too large
 */
export function writeTable<C extends Columns>(name: string, columns: C, values: Written<C>): Uint8Array[] {
  const sections = Object.entries(columns).flatMap(([column, kind]) =>
    Object.entries(sectionsOf(column, kind, values[column]!)),
  )
  const head = Buffer.alloc(headBytes + sections.length * entryBytes)
  magic.copy(head)
  head.writeUInt32LE(formatVersion, 8)
  head.writeUInt32LE(sections.length, 12)
  head.write(name, 16, nameBytes, 'latin1')
  const pieces: Uint8Array[] = [head]
  let offset = head.length
  for (const [i, [sectionName, section]] of sections.entries()) {
    const at = headBytes + i * entryBytes
    head.write(sectionName, at, nameBytes, 'latin1')
    const isWords = section instanceof Uint32Array
    const inside = isWords ? [bytesOf(section)] : section
    const sizeBytes = inside.reduce((sum, { length }) => sum + length, 0)
    if (sizeBytes > largestSection)
      throw new RangeError(
        `cannot write the table "${name}": its section "${sectionName}" has ${sizeBytes} bytes, it can have at most ${largestSection}`,
      )
    head.writeUInt32LE(isWords ? wordsKind : bytesKind, at + 16)
    head.writeUInt32LE(offset / 8, at + 20)
    head.writeUInt32LE(isWords ? section.length : sizeBytes, at + 24)
    const padding = new Uint8Array(-sizeBytes & 7)
    pieces.push(...inside, padding)
    offset += sizeBytes + padding.length
  }
  return pieces
}

function sectionsOf(name: string, kind: Kind, value: WrittenKinds[Kind]): Record<string, Section> {
  if (kind === 'u8') return { [name]: [value as Uint8Array] }
  if (kind === 'texts') {
    const { at, pieces } = TextColumnWriter.of(value as WrittenKinds['texts']).finish()
    return { [`${name}At`]: at, [name]: pieces }
  }
  return { [name]: value instanceof Uint32Array ? value : Uint32Array.from(value as Iterable<number>) }
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/**
 * Opens a table without reading its sections.
 *
 * @throws {SyntaxError} the bytes are no such table, or one of another version (both versions are
 *   in the message)
 */
export function openTable<C extends Columns>(
  name: string,
  columns: C,
  bytes: Uint8Array<ArrayBuffer>,
  path: string,
): Opened<C> {
  const fault = (what: string) => new SyntaxError(`cannot open "${path}": ${what}`)
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (bytes.length < headBytes || !head.subarray(0, 8).equals(magic))
    throw fault('it is no table of a release')
  const version = head.readUInt32LE(8)
  if (version !== formatVersion)
    throw fault(`it has format version ${version}, this program reads version ${formatVersion}`)
  const found = nameAt(head, 16)
  if (found !== name) throw fault(`it holds "${found}", wanted "${name}"`)
  const count = head.readUInt32LE(12)
  if (bytes.length < headBytes + count * entryBytes) throw fault('it is cut short')
  const sections = new Map<string, Buffer<ArrayBuffer> | Uint32Array<ArrayBuffer>>()
  for (let at = headBytes; at < headBytes + count * entryBytes; at += entryBytes) {
    const isWords = head.readUInt32LE(at + 16) === wordsKind
    const [offset, length] = [head.readUInt32LE(at + 20) * 8, head.readUInt32LE(at + 24)]
    if (offset + length * (isWords ? 4 : 1) > bytes.length) throw fault('it is cut short')
    const from = bytes.byteOffset + offset
    sections.set(
      nameAt(head, at),
      isWords ? new Uint32Array(bytes.buffer, from, length) : Buffer.from(bytes.buffer, from, length),
    )
  }
  const section = <S>(wanted: string, View: abstract new (...args: never[]) => S): S => {
    const found = sections.get(wanted)
    if (!(found instanceof View)) throw fault(`it has no section "${wanted}"`)
    return found
  }
  const opened = Object.entries(columns).map(([column, kind]) => {
    if (kind === 'u32') return [column, section(column, Uint32Array)]
    const inside = section(column, Buffer)
    return [column, kind === 'u8' ? inside : new TextColumn(section(`${column}At`, Uint32Array), inside)]
  })
  return Object.fromEntries(opened) as Opened<C>
}

function nameAt(head: Buffer, at: number): string {
  return head.toString('latin1', at, at + nameBytes).replace(/\0+$/, '')
}

/** A language and two numbers, as the column `languages` of a table has them. */
export type LanguageNumbers = [code: string, first: number, second: number]

/** The column `languages`: three numbers for each, the first of which holds its two letters. */
export function packLanguages(languages: Iterable<LanguageNumbers>): number[] {
  return [...languages].flatMap(([code, ...numbers]) => [
    code.charCodeAt(0) | (code.charCodeAt(1) << 8),
    ...numbers,
  ])
}

export function unpackLanguages(column: Uint32Array): LanguageNumbers[] {
  return Array.from({ length: column.length / 3 }, (_, i) => {
    const [code, first, second] = column.subarray(i * 3) as unknown as [number, number, number]
    return [String.fromCharCode(code & 255, code >> 8), first, second]
  })
}
