import { inflateRawSync } from 'node:zlib'
import { packedIdsMax } from '#contract/known.ts'

/** A word id has 32 bits at most. */
const idEnd = 2 ** 32
/**
 * The size of the largest set. If all 200,000 differences between ids have 3 bytes, about 500
 * of them can have a fourth, because all ids are below `idEnd`.
 */
const unpackedBytesMax = 3 * packedIdsMax + 1024
/** The maximum number of bytes from one byte of DEFLATE (258 from 2 bits). */
const expansionMax = 1032
/** More than `Buffer` takes from its pool, so that a chunk has its own memory. */
const chunkBytesMin = 64 * 1024

/**
 * Unpacks a packed set of word ids (contract 1.6): unpadded base64url of the raw DEFLATE (RFC 1951)
 * of the ascending ids' differences, the first from 0, each in LEB128. Returns what `use` returns
 * for the differences in LEB128, or the fault of the set: `that is not …`.
 *
 * The quota is checked after the set has been unpacked, so even a refused request costs this much:
 * inflating stops at the size of the largest set, and the bytes are scanned once, without
 * collecting ids. `use` must not keep the bytes, because their memory is freed at once, unless the
 * set does not inflate: left to the garbage collector, 200 large sets would cause a collection of
 * the whole heap.
 */
export function unpackIds<Result>(
  text: string,
  use: (differences: Uint8Array) => Result,
): Result | { fault: string } {
  const bytes = Buffer.from(text, 'base64url')
  // Stray bits in the last character, or an extra character, would mean the same bytes.
  if (bytes.toString('base64url') !== text) return { fault: 'that is not base64url' }
  let differences: Buffer<ArrayBuffer>
  try {
    // One chunk is large enough for all bytes; a set that is too large is refused after it.
    const expectedMax = Math.min(unpackedBytesMax + 1, expansionMax * bytes.length)
    differences = inflateRawSync(bytes, {
      maxOutputLength: unpackedBytesMax,
      chunkSize: Math.max(chunkBytesMin, expectedMax),
    }) as Buffer<ArrayBuffer>
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    return { fault: isTooLarge ? tooManyIds : 'that is not a raw DEFLATE stream' }
  }
  try {
    const fault = scan(differences)
    return fault === null ? use(differences) : { fault }
  } finally {
    // The chunk owns its memory, which contains nothing else.
    differences.buffer.transfer(0)
  }
}

const tooManyIds = `of more than ${packedIdsMax} ids`

/** Returns the fault of the differences, or null. Takes about 1 ns per byte. */
function scan(bytes: Uint8Array): string | null {
  const { length } = bytes
  let id = 0
  let count = 0
  for (let at = 0; at < length && count <= packedIdsMax; count++) {
    let byte = bytes[at++]!
    let difference = byte
    if (byte > 127) {
      difference &= 127
      for (let shift = 7; byte > 127; shift += 7) {
        if (at === length) return 'whose last number is cut off'
        byte = bytes[at++]!
        if (shift === 28 && byte > 15) return 'with a number that is too large'
        difference |= (byte & 127) << shift
      }
      if (byte === 0) return 'with a number that is not in its shortest encoding'
      difference >>>= 0
    } else if (byte === 0 && count > 0) return 'whose ids are not in ascending order'
    id += difference
  }
  if (count > packedIdsMax) return tooManyIds
  return id < idEnd ? null : 'with an id that is too large'
}
