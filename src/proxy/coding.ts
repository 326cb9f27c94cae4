import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import Negotiator from 'negotiator'
import type { Body } from './handler.ts'

/** The codings on offer, best first where the client has no preference (contract 1.4). */
const codings = ['br', 'zstd', 'gzip'] as const
export type Coding = (typeof codings)[number] | 'identity'

/** Bodies up to this size are sent as they are. */
const worthCodingBytes = 1024

const compress = {
  // Quality 5: 11 takes 45 times as long and saves next to nothing on records of this kind.
  br: (data: Buffer) =>
    promisify(brotliCompress)(data, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: data.length },
    }),
  zstd: (data: Buffer) => promisify(zstdCompress)(data),
  gzip: (data: Buffer) => promisify(gzip)(data),
}

/** Negotiator 1.1 takes the server's own order, which its types (0.6) do not know yet. */
interface OrderedNegotiator {
  encodings(available: string[], options?: { preferred: string[] }): string[]
}

/** The coding for a body of a size, by `Accept-Encoding` (RFC 9110 section 12.5.3). Where nothing on offer is accepted, the body goes as it is. */
export function chooseCoding(acceptEncoding: string | undefined, sizeBytes: number): Coding {
  if (acceptEncoding === undefined || acceptEncoding === '') return 'identity'
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }) as OrderedNegotiator
  if (sizeBytes <= worthCodingBytes && negotiator.encodings(['identity']).length > 0) return 'identity'
  const [best] = negotiator.encodings([...codings, 'identity'], { preferred: [...codings, 'identity'] })
  return (best as Coding | undefined) ?? 'identity'
}

export function identityOf(body: Body): Buffer {
  return Buffer.isBuffer(body) ? body : body.identity
}

/** The body in a coding; a kept body is coded once. */
export async function encode(body: Body, coding: Coding): Promise<Buffer> {
  const identity = identityOf(body)
  if (coding === 'identity') return identity
  const coded = Buffer.isBuffer(body) ? undefined : body.coded
  const known = coded?.get(coding)
  if (known) return known
  const bytes = await compress[coding](identity)
  coded?.set(coding, bytes)
  return bytes
}
