/**
 * The container of every table of a release: columns in named sections (FORMAT.md, "Tables"). A
 * table declares its columns once, for writing and opening it.
 */

import { currentVersion, migrationsFrom } from '#kit/stored-format.ts'
import { MemoryBytes, type ByteSource } from './byte-source.ts'
import { DigestedFile, type ByteRange, type DiskRanges } from './digested-file.ts'
import { releaseFormat } from './release-format.ts'
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
/** The file of a table, or its bytes. */
export type TableBytes = DigestedFile | Uint8Array<ArrayBuffer>
/** The columns of an open table: views of the file's bytes, or texts that stay on disk. */
export type Opened<C extends Columns> = { readonly [Name in keyof C]: OpenedKinds[C[Name]] }
type Written<C extends Columns> = { readonly [Name in keyof C]: WrittenKinds[C[Name]] }

/**
 * The start of each section after the head, and its size, in bytes. It follows the head as JSON.
 */
interface Directory {
  table: string
  sections: Record<string, [offset: number, sizeBytes: number]>
}

/** Large sections are divided, because at most 2 GiB can be digested or written at a time. */
const largestPiece = 64 * 1024 * 1024

/** Yields the bytes of a table, in pieces that can be read once and are never joined. */
export function* writeTable<C extends Columns>(
  table: string,
  columns: C,
  values: Written<C>,
): Generator<Uint8Array> {
  const sections: Directory['sections'] = {}
  const contents: Content[] = []
  let offset = 0
  const add = (name: string, content: Content) => {
    const sizeBytes = content instanceof TextColumnWriter ? content.sizeBytes : content.byteLength
    sections[name] = [offset, sizeBytes]
    contents.push(content, new Uint8Array(paddingOf(offset + sizeBytes)))
    offset += sizeBytes + paddingOf(offset + sizeBytes)
  }
  for (const [name, kind] of Object.entries(columns)) {
    const value: unknown = values[name]
    if (kind === 'u8') add(name, value as WrittenKinds['u8'])
    else if (kind === 'u32')
      add(name, value instanceof Uint32Array ? value : Uint32Array.from(value as WrittenKinds['u32']))
    else if (kind === 'json') add(name, Buffer.from(JSON.stringify(value)))
    else {
      const texts = value as WrittenKinds['texts']
      const writer = texts instanceof TextColumnWriter ? texts : new TextColumnWriter(texts)
      add(`${name}At`, writer.positions())
      add(name, writer)
    }
  }
  const directory = Buffer.from(JSON.stringify({ table, sections } satisfies Directory))
  const head = Buffer.alloc(headBytes, magic, 'latin1')
  head.writeUInt32LE(currentVersion(releaseFormat), 8)
  head.writeUInt32LE(directory.length, 12)
  yield* [head, directory, new Uint8Array(paddingOf(directory.length))]
  for (const content of contents)
    yield* content instanceof TextColumnWriter ? content.chunks() : split(content)
}

/** The content of a section, or its padding. */
type Content = Uint8Array | Uint32Array | TextColumnWriter

/** Returns the number of zeros after a position, up to a multiple of 8. */
function paddingOf(position: number): number {
  return (8 - (position % 8)) % 8
}

function* split({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array): Generator<Uint8Array> {
  for (let at = 0; at < byteLength; at += largestPiece)
    yield new Uint8Array(buffer, byteOffset + at, Math.min(largestPiece, byteLength - at))
}

/** The head of a table: the positions of its sections in the file. */
interface Head {
  table: string
  migrations: ReturnType<typeof migrationsFrom<(typeof releaseFormat)['migrations'][number]>>
  sections: Record<string, ByteRange>
}

/** @throws {SyntaxError} the bytes are not the start of a table that this program reads */
function parseHead(start: Buffer, path: string): Head {
  if (start.length < headBytes || start.toString('latin1', 0, 8) !== magic)
    throw fault(path, 'it is no table of a release')
  const migrations = migrationsFrom(releaseFormat, start.readUInt32LE(8), `cannot open "${path}": it`)
  const directoryEnd = headBytes + start.readUInt32LE(12)
  if (start.length < directoryEnd) throw fault(path, 'it is cut short')
  const { table, sections } = JSON.parse(start.toString('utf8', headBytes, directoryEnd)) as Directory
  const firstSection = directoryEnd + paddingOf(directoryEnd)
  const rangeOf = ([offset, sizeBytes]: [number, number]) => {
    const from = firstSection + offset
    return { from, to: from + sizeBytes }
  }
  return { table, migrations, sections: mapValues(sections, rangeOf) }
}

function fault(path: string, what: string): SyntaxError {
  return new SyntaxError(`cannot open "${path}": ${what}`)
}

/**
 * Finds the texts of columns in a table. Returns none for a table that must be migrated, which
 * needs it in memory, or that is damaged, which its digest will show.
 */
export function rangesOf(textColumns: readonly string[]): DiskRanges {
  return (start) => {
    try {
      const { migrations, sections } = parseHead(start, '')
      return migrations.length > 0 ? [] : textColumns.flatMap((name) => sections[name] ?? [])
    } catch {
      return []
    }
  }
}

/**
 * Opens a table without reading its sections.
 *
 * @throws {SyntaxError} the bytes are not such a table
 * @throws {UnreadableVersion} they have a version that this program does not read
 */
export function openTable<C extends Columns>(
  table: string,
  columns: C,
  bytes: TableBytes,
  path: string,
): Opened<C> {
  const file = bytes instanceof DigestedFile ? bytes : DigestedFile.inMemory({ bytes, digest: '' })
  const head = parseHead(file.start, path)
  if (head.table !== table) throw fault(path, `it contains the table "${head.table}", not "${table}"`)
  for (const { to } of Object.values(head.sections))
    if (to > file.sizeBytes) throw fault(path, 'it is cut short')
  const sources = mapValues(head.sections, (range) => file.source(range))
  const sections = migrate(table, head, sources)
  const section = (name: string): ByteSource => {
    const source = sections[name]
    if (!source) throw fault(path, `it has no section "${name}"`)
    return source
  }
  const numbers = (name: string) => {
    const { buffer, byteOffset, length } = section(name).buffer
    return new Uint32Array(buffer, byteOffset, length / 4)
  }
  const entries = Object.entries(columns).map(([name, kind]): [string, OpenedKinds[Kind]] => {
    if (kind === 'u32') return [name, numbers(name)]
    if (kind === 'texts') return [name, new TextColumn(numbers(`${name}At`), section(name))]
    const { buffer } = section(name)
    return [name, kind === 'u8' ? buffer : JSON.parse(buffer.toString())]
  })
  return Object.fromEntries(entries) as Opened<C>
}

function migrate(table: string, { migrations }: Head, sections: Record<string, ByteSource>) {
  if (migrations.length === 0) return sections
  const migratedSections = migrations.reduce(
    (before, migration) => migration.table(table, before),
    mapValues(sections, ({ buffer }) => buffer),
  )
  return mapValues(migratedSections, (section) => new MemoryBytes(section))
}

/** The size of a digest in a column of digests: 96 bits of a SHA-256. */
export const digestBytes = 12

/** Returns a digest of such a column, in base64url. */
export function digestAt(digests: Buffer, index: number): string {
  return digests.toString('base64url', index * digestBytes, (index + 1) * digestBytes)
}

function mapValues<Value, Result>(record: Readonly<Record<string, Value>>, map: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}
