/**
 * The container of every table of a release: named sections of typed arrays (FORMAT.md, "Tables").
 */

import { formatVersion } from './manifest.ts'

const magic = Buffer.from('cliptabl', 'latin1')
const headBytes = 32
const entryBytes = 32
const nameBytes = 16

/** Bytes, also in pieces, or 32-bit words. */
export type Section = Uint8Array | readonly Uint8Array[] | Uint32Array
const bytesKind = 1
const wordsKind = 4

/** The sections of an opened table, by name: views of the file's bytes. */
export interface Sections {
  /** @throws {SyntaxError} when the table has no such section */
  u8(name: string): Buffer<ArrayBuffer>
  /** @throws {SyntaxError} when the table has no such section */
  u32(name: string): Uint32Array<ArrayBuffer>
}

/** The most bytes of a section: places in it are numbers of 31 bits. */
const largestSection = 2 ** 31 - 1

/**
 * A table as the pieces of its file, in order. The sections are not copied.
 *
 * @throws {RangeError} a section is too large
 */
export function writeTable(name: string, sections: Readonly<Record<string, Section>>): Uint8Array[] {
  const entries = Object.entries(sections)
  const head = Buffer.alloc(headBytes + entries.length * entryBytes)
  magic.copy(head)
  head.writeUInt32LE(formatVersion, 8)
  head.writeUInt32LE(entries.length, 12)
  head.write(name, 16, nameBytes, 'latin1')
  const pieces: Uint8Array[] = [head]
  let offset = head.length
  for (const [i, [sectionName, section]] of entries.entries()) {
    const at = headBytes + i * entryBytes
    head.write(sectionName, at, nameBytes, 'latin1')
    const isWords = section instanceof Uint32Array
    const inside = isWords ? [bytesOf(section)] : [section].flat()
    const sizeBytes = inside.reduce((sum, { length }) => sum + length, 0)
    if (sizeBytes > largestSection)
      throw new RangeError(
        `cannot write the table "${name}": its section "${sectionName}" has ${sizeBytes} bytes, it can have at most ${largestSection}`,
      )
    head.writeUInt32LE(isWords ? wordsKind : bytesKind, at + 16)
    head.writeUInt32LE(offset / 8, at + 20)
    head.writeUInt32LE(isWords ? section.length : sizeBytes, at + 24)
    const padding = new Uint8Array(-sizeBytes & 7)
    // One by one: a section may have more pieces than a call can have arguments.
    for (const piece of [...inside, padding]) pieces.push(piece)
    offset += sizeBytes + padding.length
  }
  return pieces
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
export function openTable(bytes: Uint8Array<ArrayBuffer>, name: string, path: string): Sections {
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
  return {
    u8: (wanted) => section(wanted, Buffer<ArrayBuffer>),
    u32: (wanted) => section(wanted, Uint32Array<ArrayBuffer>),
  }
}

function nameAt(head: Buffer, at: number): string {
  return head.toString('latin1', at, at + nameBytes).replace(/\0+$/, '')
}

/** A language code in a table: its two letters, the first in the low byte. */
export function codeNumber(language: string): number {
  return language.charCodeAt(0) | (language.charCodeAt(1) << 8)
}

/** A language in the section `languages` of a table. */
interface LanguageNumbers {
  code: string
  /** All that the section holds of it, its code first. */
  numbers: Uint32Array
  /** The same of the language behind it. */
  next: Uint32Array | undefined
}

/** The section `languages` of a table that has `width` numbers for each, their codes first. */
export function* readLanguages(sections: Sections, width: number): Generator<LanguageNumbers> {
  const all = sections.u32('languages')
  for (let i = 0; i < all.length; i += width) {
    const next = i + width < all.length ? all.subarray(i + width, i + 2 * width) : undefined
    const code = String.fromCharCode(all[i]! & 255, all[i]! >> 8)
    yield { code, numbers: all.subarray(i, i + width), next }
  }
}
