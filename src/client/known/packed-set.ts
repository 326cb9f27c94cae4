import { inflate } from './inflate.ts'

/**
 * Packed sets of the parameter `known`: `p.` and the unpadded base64url of the raw DEFLATE of the
 * differences between ascending ids, as LEB128.
 */

/** Packs word ids. */
export async function packIds(ids: Iterable<number>): Promise<string> {
  const bytes: number[] = []
  let last = 0
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    let difference = id - last
    for (; difference > 127; difference = Math.floor(difference / 128)) bytes.push((difference % 128) + 128)
    bytes.push(difference)
    last = id
  }
  const text = String.fromCharCode(...(await deflate(Uint8Array.from(bytes))))
  return `p.${btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

/** Returns the word ids in a packed set. @throws {RangeError} it is not one */
export function unpackIds(text: string): number[] {
  // A single character left over after the groups of four would encode less than a byte.
  if (!/^p\.(?=.)(?:[\w-]{4})*(?:[\w-]{2,3})?$/.test(text))
    throw new RangeError(`${JSON.stringify(text)} is no packed set`)
  const base64 = text.slice(2).replaceAll('-', '+').replaceAll('_', '/')
  const bytes = inflate(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
  const ids: number[] = []
  let last = 0
  let difference = 0
  let scale = 1
  for (const byte of bytes) {
    difference += (byte % 128) * scale
    scale *= 128
    if (byte >= 128) continue
    ids.push((last += difference))
    difference = 0
    scale = 1
  }
  return ids
}

const gzipHeader = 10
const gzipTrailer = 8

/** Compresses to raw DEFLATE, or without compression where the browser has none. */
async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (typeof CompressionStream === 'undefined') return store(bytes)
  // Raw DEFLATE is the part of gzip between its header and its trailer (RFC 1952). Node supports
  // `deflate-raw` only since version 20.12.
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  const gzip = new Uint8Array(await new Response(stream).arrayBuffer())
  return gzip[3] === 0 ? gzip.subarray(gzipHeader, -gzipTrailer) : store(bytes)
}

/** Writes one stored block: 65,535 bytes are more than `known` can hold. */
function store(bytes: Uint8Array): Uint8Array {
  const { length } = bytes
  if (length > 0xffff) throw new RangeError(`${length} bytes are too many for a set`)
  return Uint8Array.of(1, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255, ...bytes)
}
