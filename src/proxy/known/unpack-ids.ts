import { inflateRawSync } from 'node:zlib'
import { packedIdsMax } from '#contract/known.ts'
import { ByteReader } from '#kit/varint.ts'

/** A difference of word ids has 32 bits at most: that many bytes in LEB128. */
const differenceBytesMax = 5

/**
 * Unpacks a packed set of word ids (contract 1.6): unpadded base64url of the raw DEFLATE (RFC 1951)
 * of the ascending ids' differences, the first from 0, each in LEB128. Returns the ids in ascending
 * order, or why there are none.
 *
 * Inflating stops at the size of the largest set that is allowed, so what a hostile set can cost is
 * bounded.
 */
export function unpackIds(packed: string): number[] | { fault: string } {
  // Four characters hold three bytes; one character left over holds none.
  if (packed.length % 4 === 1) return { fault: 'has a packed set that is not base64url' }
  const tooMany = { fault: `has a packed set of more than ${packedIdsMax} ids` }
  const ids: number[] = []
  try {
    const maxOutputLength = packedIdsMax * differenceBytesMax
    const differences = new ByteReader(inflateRawSync(Buffer.from(packed, 'base64url'), { maxOutputLength }))
    while (differences.at < differences.bytes.length) {
      if (ids.length === packedIdsMax) return tooMany
      const from = differences.at
      const difference = differences.varint()
      if (differences.at - from > differenceBytesMax) throw new RangeError('a difference is too large')
      if (difference === 0 && ids.length > 0) return { fault: 'has a packed set whose ids do not ascend' }
      ids.push((ids.at(-1) ?? 0) + difference)
    }
    return ids
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooMany
    return error instanceof RangeError
      ? { fault: 'has a packed set with a number that does not end' }
      : { fault: 'has a packed set that is not a raw DEFLATE stream' }
  }
}
