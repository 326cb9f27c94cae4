import type { ServerResponse } from 'node:http'
import type { WindowState } from '#metering/store.ts'
import { bytesOf, payloadOf, sizeOf, type Body, type EncodedBody } from './body.ts'
import { chooseCoding, compress, type Coding } from './coding.ts'
import { matchesEtag } from './etag.ts'
import type { RequestHead } from './request-head.ts'

/** What an answer needs to know of its request. */
export interface Recipient {
  method: string
  head: RequestHead
  res: ServerResponse
  /** Echoed on the answer. */
  requestId: string
  /** The size of the body as sent, once it is. */
  sentBytes: number
}

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
  /** Differs between any two bodies of one address; absent where there is nothing to validate. */
  digest?: string | undefined
  /**
   * The other fields, which are the same whenever this body is sent. Called once for each coding of
   * a cached body.
   */
  fields(): readonly string[]
}

/** On every answer: the name of the request, which is also in the lines of the logs. */
export const requestIdName = 'X-Request-Id'

/**
 * Sends an answer in the coding that its client prefers, or 304 where the client has it (RFC 9110
 * section 13.1.2). Returns a promise only where the body must first be compressed.
 */
export function send(to: Recipient, outgoing: Outgoing, window: WindowState | null): void | Promise<void> {
  const { body, digest } = outgoing
  const coding = outgoing.isCompressible ? chooseCoding(to.head.acceptEncoding, sizeOf(body)) : 'identity'
  if (digest !== undefined && to.head.ifNoneMatch !== undefined && outgoing.status === 200) {
    const etag = etagOf(digest, coding)
    if (matchesEtag(to.head.ifNoneMatch, etag)) {
      to.res.writeHead(304, [...outgoing.fields(), 'ETag', etag, ...requestFields(to, window)])
      to.res.end()
      return
    }
  }
  const cached = 'encoded' in body ? body.encoded.get(coding) : undefined
  if (cached) return write(to, outgoing.status, cached, window)
  if (coding === 'identity') {
    const payload = 'byteText' in body ? body.byteText : payloadOf(body.identity)
    return write(to, outgoing.status, encode(outgoing, coding, payload, sizeOf(body)), window)
  }
  return compress(bytesOf(body), coding).then((bytes) =>
    write(to, outgoing.status, encode(outgoing, coding, payloadOf(bytes), bytes.length), window),
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

function write(
  to: Recipient,
  status: number,
  { payload, fields }: EncodedBody,
  window: WindowState | null,
): void {
  const { method, res } = to
  res.writeHead(status, [...fields, ...requestFields(to, window)])
  if (method === 'HEAD') return void res.end()
  to.sentBytes = payload.length
  // Node ignores the encoding of a Buffer.
  res.end(payload, 'latin1')
}

/** The fields that are another with each request. */
export function requestFields(
  { requestId }: Pick<Recipient, 'requestId'>,
  window: WindowState | null,
): string[] {
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
