import { bytesOf, payloadOf, sizeOf, type Body, type EncodedBody } from './body.ts'
import { chooseCoding, compress, type Coding } from './coding.ts'
import { matchesEtag } from './etag.ts'
import type { Exchange } from './exchange.ts'

/**
 * An answer with a body. Header fields are name, value, name, value …, as `writeHead` takes them
 * without a copy.
 */
export interface Outgoing {
  status: number
  body: Body
  /** The media type. */
  type: string
  isCompressible: boolean
  /** Differs between any two bodies of one address; absent without an entity tag. */
  digest?: string | undefined
  /**
   * The other fields, which do not differ between requests. Called once for each coding of a cached
   * body.
   */
  fields(): readonly string[]
}

/** On every answer: the id of the request, which is also in the logs. */
export const requestIdName = 'X-Request-Id'

/**
 * Sends an answer in the coding that its client prefers, or 304 if the client has it (RFC 9110
 * section 13.1.2). Returns a promise only if the body must be compressed first.
 */
export function send(exchange: Exchange, outgoing: Outgoing): void | Promise<void> {
  const { head, res } = exchange
  const { body, digest, status } = outgoing
  const coding = outgoing.isCompressible ? chooseCoding(head.acceptEncoding, sizeOf(body)) : 'identity'
  if (digest !== undefined && head.ifNoneMatch !== undefined && status === 200) {
    const etag = etagOf(digest, coding)
    if (matchesEtag(head.ifNoneMatch, etag)) {
      res.writeHead(304, [...outgoing.fields(), 'ETag', etag, ...requestFields(exchange)])
      res.end()
      return
    }
  }
  const cached = 'encoded' in body ? body.encoded.get(coding) : undefined
  if (cached) return write(exchange, status, cached)
  if (coding === 'identity') {
    const payload = 'byteText' in body ? body.byteText : payloadOf(body.identity)
    return write(exchange, status, encode(outgoing, coding, payload, sizeOf(body)))
  }
  return compress(bytesOf(body), coding).then((bytes) =>
    write(exchange, status, encode(outgoing, coding, payloadOf(bytes), bytes.length)),
  )
}

/**
 * A strong entity tag (RFC 9110 section 8.8.3): of the bytes as they are sent, so each coding has
 * its own.
 */
function etagOf(digest: string, coding: Coding): string {
  return `"${digest}${coding === 'identity' ? '' : `-${coding}`}"`
}

/** A body in a coding, with its fields: cached if the body is. */
function encode(
  { body, type, digest, fields }: Outgoing,
  coding: Coding,
  payload: Buffer | string,
  sizeBytes: number,
): EncodedBody {
  const all = [...fields(), 'Content-Type', type, 'Content-Length', String(sizeBytes)]
  if (digest !== undefined) all.push('ETag', etagOf(digest, coding))
  if (coding !== 'identity') all.push('Content-Encoding', coding)
  const encoded = { payload, fields: all }
  if ('encoded' in body) body.encoded.set(coding, encoded)
  return encoded
}

function write(exchange: Exchange, status: number, { payload, fields }: EncodedBody): void {
  const { method, res } = exchange
  res.writeHead(status, [...fields, ...requestFields(exchange)])
  if (method === 'HEAD') return void res.end()
  exchange.sentBytes = payload.length
  // Node ignores the encoding of a Buffer.
  res.end(payload, 'latin1')
}

/** The header fields that differ from request to request. */
export function requestFields({ requestId, window }: Pick<Exchange, 'requestId' | 'window'>): string[] {
  if (window === null) return [requestIdName, requestId]
  return [
    'X-RateLimit-Limit',
    String(window.limit),
    'X-RateLimit-Remaining',
    String(window.remaining),
    'X-RateLimit-Reset',
    String(window.resetAtS),
    requestIdName,
    requestId,
  ]
}
