import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

/** The available codings, best first if the client has no preference (contract 1.4). */
const codings = ['br', 'zstd', 'gzip'] as const
export type Coding = (typeof codings)[number] | 'identity'

/** The maximum size of a body that is not compressed. */
const worthCodingBytes = 1024
/** The maximum length of the header. Browsers send 30 characters, but a client may send 16 KB. */
const maxFieldLength = 256

const brotli = promisify(brotliCompress)

/** The functions that compress bytes, keyed by coding. */
export const compressors = {
  // Quality 5: 11 takes 45 times as long and hardly saves anything on these records.
  br: (data: Buffer) => brotli(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: promisify(zstdCompress) as (data: Buffer) => Promise<Buffer>,
  gzip: promisify(gzip) as (data: Buffer) => Promise<Buffer>,
}

/** Negotiator 1.1 accepts the server's own order, which its types (0.6) lack. */
interface OrderedNegotiator {
  encodings(available: string[], options?: { preferred: string[] }): string[]
}

/** The codings for each header and size of body. Clients send few different headers. */
const codingsByHeader = new LRUCache<string, { small: Coding; large: Coding }>({ max: 1000 })

/**
 * Returns the coding for a body of a size, by `Accept-Encoding` (RFC 9110 section 12.5.3):
 * `identity` if the client accepts none of the available ones.
 */
export function chooseCoding(acceptEncoding: string | undefined, sizeBytes: number): Coding {
  if (!acceptEncoding || acceptEncoding.length > maxFieldLength) return 'identity'
  let choice = codingsByHeader.get(acceptEncoding)
  if (!choice) codingsByHeader.set(acceptEncoding, (choice = negotiate(acceptEncoding)))
  return sizeBytes <= worthCodingBytes ? choice.small : choice.large
}

function negotiate(acceptEncoding: string): { small: Coding; large: Coding } {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }) as OrderedNegotiator
  const offer = [...codings, 'identity']
  const large = (negotiator.encodings(offer, { preferred: offer })[0] as Coding | undefined) ?? 'identity'
  return { small: negotiator.encodings(['identity']).length > 0 ? 'identity' : large, large }
}
