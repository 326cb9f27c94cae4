/**
 * The container of every table of a release: columns in named sections (FORMAT.md, "Tables"). A
 * table declares its columns once, and is written and opened by that.
 */

import { currentVersion, migrationsFrom } from '#kit/stored-format.ts'
import { MemoryBytes } from './byte-source.ts'
import { releaseFormat, type Sections } from './release-format.ts'
import { TextColumn, TextColumnWriter } from './text-column.ts'

const magic = 'cliptabl'
/** The magic, the version, and the length of the directory. */
const headBytes = 16

/**
 * The columns of a table and their kinds, in the order of the file: bytes, 32-bit numbers, texts,
 * which take two sections (`text-column.ts`), or a value that is small enough to be parsed.
 */
export type Columns = Readonly<Record<string, Kind>>
type Kind = keyof OpenedKinds

interface OpenedKinds {
  u8: Buffer<ArrayBuffer>
  u32: Uint32Array<ArrayBuffer>
  texts: TextColumn
  json: unknown
}
interface WrittenKinds {
  u8: Uint8Array
  u32: Iterable<number>
  texts: Iterable<string | Uint8Array> | TextColumnWriter
  json: unknown
}
/** The columns of an opened table: views of the file's bytes. */
export type Opened<C extends Columns> = { readonly [Name in keyof C]: OpenedKinds[C[Name]] }
/** What a table is written from. */
type Written<C extends Columns> = { readonly [Name in keyof C]: WrittenKinds[C[Name]] }

/** Follows the head as JSON: where each section begins behind it, and its size, in bytes. */
interface Directory {
  table: string
  sections: Record<string, [offset: number, sizeBytes: number]>
}

/** Large sections are divided: to digest or write at most 2 GiB at a time is possible. */
const largestPiece = 64 * 1024 * 1024

/** The bytes of a table, in pieces: they are never copied into one place. */
export function writeTable<C extends Columns>(table: string, columns: C, values: Written<C>): Uint8Array[] {
  const sections: Directory['sections'] = {}
  const pieces: Uint8Array[] = []
  let offset = 0
  const add = (name: string, ...parts: readonly (Uint8Array | Uint32Array)[]) => {
    const start = offset
    for (const part of parts) {
      pieces.push(...split(part))
      offset += part.byteLength
    }
    sections[name] = [start, offset - start]
    pieces.push(new Uint8Array(paddingOf(offset)))
    offset += paddingOf(offset)
  }
  for (const [name, kind] of Object.entries(columns)) {
    const value: unknown = values[name]
    if (kind === 'u8') add(name, value as WrittenKinds['u8'])
    else if (kind === 'u32') add(name, Uint32Array.from(value as WrittenKinds['u32']))
    else if (kind === 'json') add(name, Buffer.from(JSON.stringify(value)))
    else {
      const texts = value as WrittenKinds['texts']
      const writer = texts instanceof TextColumnWriter ? texts : new TextColumnWriter(texts)
      const { at, chunks } = writer.finish()
      add(`${name}At`, at)
      add(name, ...chunks)
    }
  }
  const directory = Buffer.from(JSON.stringify({ table, sections } satisfies Directory))
  const head = Buffer.alloc(headBytes, magic, 'latin1')
  head.writeUInt32LE(currentVersion(releaseFormat), 8)
  head.writeUInt32LE(directory.length, 12)
  return [head, directory, new Uint8Array(paddingOf(directory.length)), ...pieces]
}

/** The number of zeros behind a position, up to a multiple of 8. */
function paddingOf(position: number): number {
  return (8 - (position % 8)) % 8
}

function* split({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array): Generator<Uint8Array> {
  for (let at = 0; at < byteLength; at += largestPiece)
    yield new Uint8Array(buffer, byteOffset + at, Math.min(largestPiece, byteLength - at))
}

/**
 * Opens a table without reading its sections.
 *
 * @throws {SyntaxError} the bytes are no such table
 * @throws {UnreadableVersion} they are of a version that this program does not read
 */
export function openTable<C extends Columns>(
  table: string,
  columns: C,
  bytes: Uint8Array<ArrayBuffer>,
  path: string,
): Opened<C> {
  const fault = (what: string) => new SyntaxError(`cannot open "${path}": ${what}`)
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (file.length < headBytes || file.toString('latin1', 0, 8) !== magic)
    throw fault('it is no table of a release')
  const migrations = migrationsFrom(releaseFormat, file.readUInt32LE(8), `cannot open "${path}": it`)
  const directoryEnd = headBytes + file.readUInt32LE(12)
  if (file.length < directoryEnd) throw fault('it is cut short')
  const directory = JSON.parse(file.toString('utf8', headBytes, directoryEnd)) as Directory
  if (directory.table !== table) throw fault(`it contains the table "${directory.table}", not "${table}"`)
  const storedSections = Object.entries(directory.sections).map(([name, [offset, sizeBytes]]) => {
    const from = directoryEnd + paddingOf(directoryEnd) + offset
    if (from + sizeBytes > file.length) throw fault('it is cut short')
    return [name, file.subarray(from, from + sizeBytes)] as const
  })
  const sections = migrations.reduce<Sections>(
    (before, migrate) => migrate.table(table, before),
    Object.fromEntries(storedSections),
  )
  const section = (name: string): Buffer<ArrayBuffer> => {
    const bytes = sections[name]
    if (!bytes) throw fault(`it has no section "${name}"`)
    return bytes
  }
  const numbers = (name: string) => {
    const { buffer, byteOffset, length } = section(name)
    return new Uint32Array(buffer, byteOffset, length / 4)
  }
  const entries = Object.entries(columns).map(([name, kind]): [string, OpenedKinds[Kind]] => {
    if (kind === 'u32') return [name, numbers(name)]
    if (kind === 'texts') {
      const texts = section(name)
      return [name, new TextColumn(numbers(`${name}At`), new MemoryBytes(texts), texts.length)]
    }
    return [name, kind === 'u8' ? section(name) : JSON.parse(section(name).toString())]
  })
  return Object.fromEntries(entries) as Opened<C>
}

/** The bytes of a digest in a column of digests: 96 bits of a SHA-256. */
export const digestBytes = 12

/** A digest of such a column, in base64url. */
export function digestAt(digests: Buffer, index: number): string {
  return digests.toString('base64url', index * digestBytes, (index + 1) * digestBytes)
}
