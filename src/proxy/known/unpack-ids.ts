import { inflateRawSync } from 'node:zlib'
import { packedIdsMax } from '#contract/known.ts'

/** A difference of word ids has 32 bits at most: that many bytes in LEB128. */
const differenceBytesMax = 5

/** What unpacking gives: the ids in ascending order, or why there are none. */
export type UnpackedIds = Float64Array | { fault: string }

/**
 * Unpacks a packed set of word ids (contract 1.6): unpadded base64url of the raw DEFLATE (RFC 1951)
 * of the ascending ids' differences, the first from 0, each in LEB128.
 *
 * Inflating stops at the size of the largest set that is allowed, so what a hostile set can cost is
 * bounded.
 */
export function unpackIds(packed: string): UnpackedIds {
  // Four characters hold three bytes; one character left over holds none.
  if (packed.length % 4 === 1) return { fault: 'has a packed set that is not base64url' }
  const deflated = Buffer.from(packed, 'base64url')
  let bytes: Buffer
  try {
    bytes = inflateRawSync(deflated, { maxOutputLength: packedIdsMax * differenceBytesMax })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? tooMany
      : { fault: 'has a packed set that is not a raw DEFLATE stream' }
  }
  return readDifferences(bytes)
}

const tooMany: UnpackedIds = { fault: `has a packed set of more than ${packedIdsMax} ids` }

function readDifferences(bytes: Buffer): UnpackedIds {
  const wordIds = new Float64Array(Math.min(bytes.length, packedIdsMax))
  let count = 0
  let id = 0
  for (let at = 0; at < bytes.length; count++) {
    if (count === packedIdsMax) return tooMany
    const begin = at
    let difference = 0
    let unit = 1
    let byte: number
    do {
      if (at === bytes.length || at - begin === differenceBytesMax)
        return { fault: 'has a packed set with a number that does not end' }
      byte = bytes[at]!
      difference += (byte & 127) * unit
      unit *= 128
      at++
    } while (byte >= 128)
    if (difference === 0 && count > 0) return { fault: 'has a packed set whose ids do not ascend' }
    id += difference
    wordIds[count] = id
  }
  return wordIds.subarray(0, count)
}
