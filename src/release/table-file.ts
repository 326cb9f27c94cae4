/**
 * The container of every table of a release: named sections of typed arrays (FORMAT.md, "Tables").
 */

import { formatVersion } from './manifest.ts'

const magic = Buffer.from('cliptabl', 'latin1')
const headBytes = 32
const entryBytes = 32
const nameBytes = 16

type Section = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>
const bytesKind = 1
const wordsKind = 4

/** The sections of an opened table, by name: views of the file's bytes. */
export interface Sections {
  /** @throws {SyntaxError} when the table has no such section */
  u8(name: string): Uint8Array<ArrayBuffer>
  /** @throws {SyntaxError} when the table has no such section */
  u32(name: string): Uint32Array<ArrayBuffer>
}

/**
 * The most bytes that a section may have: places in it are numbers of 31 bits where a request
 * copies from it.
 */
const largestSection = 2 ** 31 - 1

/**
 * A table as the pieces of its file, in order; the sections are not copied.
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
    head.writeUInt32LE(section instanceof Uint32Array ? wordsKind : bytesKind, at + 16)
    head.writeUInt32LE(offset / 8, at + 20)
    head.writeUInt32LE(section.length, at + 24)
    const bytes = new Uint8Array(section.buffer, section.byteOffset, section.byteLength)
    if (bytes.length > largestSection)
      throw new RangeError(
        `cannot write the table "${name}": its section "${sectionName}" has ${bytes.length} bytes, it may have ${largestSection}`,
      )
    const padding = new Uint8Array(-bytes.length & 7)
    pieces.push(bytes, padding)
    offset += bytes.length + padding.length
  }
  return pieces
}

/**
 * Opens a table: no byte of its sections is read.
 *
 * @throws {SyntaxError} when the bytes are no such table, or one of another version (both versions
 *   are in the message)
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
  const sections = new Map<string, Section>()
  for (let at = headBytes; at < headBytes + count * entryBytes; at += entryBytes) {
    const isWords = head.readUInt32LE(at + 16) === wordsKind
    const [offset, length] = [head.readUInt32LE(at + 20) * 8, head.readUInt32LE(at + 24)]
    if (offset + length * (isWords ? 4 : 1) > bytes.length) throw fault('it is cut short')
    const View = isWords ? Uint32Array : Uint8Array
    sections.set(nameAt(head, at), new View(bytes.buffer, bytes.byteOffset + offset, length))
  }
  const section = <S extends Section>(wanted: string, isA: (found: Section | undefined) => found is S): S => {
    const found = sections.get(wanted)
    if (!isA(found)) throw fault(`it has no section "${wanted}"`)
    return found
  }
  return {
    u8: (wanted) => section(wanted, (found) => found instanceof Uint8Array),
    u32: (wanted) => section(wanted, (found) => found instanceof Uint32Array),
  }
}

function nameAt(head: Buffer, at: number): string {
  return head.toString('latin1', at, at + nameBytes).replace(/\0+$/, '')
}

/** A language code in a table: its two letters, the first in the low byte. */
export function codeNumber(language: string): number {
  return language.charCodeAt(0) | (language.charCodeAt(1) << 8)
}

export function codeOfNumber(code: number): string {
  return String.fromCharCode(code & 255, code >> 8)
}
