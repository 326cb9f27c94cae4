import { payloadOf, type Body, type EncodedBody, type Payload } from './body.ts'
import { chooseCoding, compress, type Coding } from './coding.ts'
import { matchesEtag } from './etag.ts'
import type { Exchange } from './exchange.ts'

/**
 * An answer with a body. Header fields are name, value, name, value …, as `writeHead` takes them
 * without a copy.
 */
interface Outgoing {
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
  const { headers, res } = exchange
  const { body, digest, status } = outgoing
  const coding = outgoing.isCompressible ? chooseCoding(headers.acceptEncoding, body.sizeBytes) : 'identity'
  if (digest !== undefined && headers.ifNoneMatch !== undefined && status === 200) {
    const etag = etagOf(digest, coding)
    if (matchesEtag(headers.ifNoneMatch, etag)) {
      res.writeHead(304, [...outgoing.fields(), 'ETag', etag, ...requestFields(exchange)])
      res.end()
      return
    }
  }
  const encoded = body.encoded[coding]
  if (encoded) return write(exchange, status, encoded)
  if (coding === 'identity') return write(exchange, status, encode(outgoing, coding, body.payload))
  return compress(body.bytes, coding).then((bytes) =>
    write(exchange, status, encode(outgoing, coding, payloadOf(bytes))),
  )
}

/**
 * A strong entity tag (RFC 9110 section 8.8.3): of the bytes as they are sent, so each coding has
 * its own.
 */
function etagOf(digest: string, coding: Coding): string {
  return `"${digest}${coding === 'identity' ? '' : `-${coding}`}"`
}

/** A body in a coding, with its fields: made once. */
function encode({ body, type, digest, fields }: Outgoing, coding: Coding, payload: Payload): EncodedBody {
  const all = [...fields(), 'Content-Type', type, 'Content-Length', String(payload.length)]
  if (digest !== undefined) all.push('ETag', etagOf(digest, coding))
  if (coding !== 'identity') all.push('Content-Encoding', coding)
  return (body.encoded[coding] = { payload, fields: all })
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
