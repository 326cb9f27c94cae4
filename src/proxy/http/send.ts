import { cacheClasses, exposedHeaders, type CacheClass } from '#contract/headers.ts'
import { errorsPath, toErrorBody, type ErrorAnswer } from '#contract/errors.ts'
import { jsonBody, payloadOf, type Body, type EncodedBody, type Payload } from './body.ts'
import { chooseCoding, compressors, type Coding } from './coding.ts'
import type { Exchange } from './exchange.ts'
import { allowedMethods } from './refusals.ts'

/** A response with a body. Headers are name, value, name, value … */
interface Outgoing {
  status: number
  body: Body
  /** The media type; JSON by default. */
  type?: string
  isCompressible?: boolean
  /** Differs between any two bodies of one address; absent without an entity tag. */
  digest?: string | undefined
  /** Returns the headers that all requests share. Called once for each coding of a cached body. */
  fields(): readonly string[]
}

/** The header with the id of the request, in every response and in the logs. */
export const requestIdName = 'X-Request-Id'

/** Returns headers in the form that `writeHead` accepts without copying. */
export function fieldsOf(fields: Record<string, string>): string[] {
  return Object.entries(fields).flat()
}

/** In every response of the API: any origin may read it, and it depends on the coding. */
const commonFields = fieldsOf({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders,
  Vary: 'Accept-Encoding',
})

export const jsonType = 'application/json; charset=utf-8'

/** Sends a successful response, or 304 if the caller has it. */
export function sendAnswer(exchange: Exchange, body: Body, cache: CacheClass): void | Promise<void> {
  const digest = cache === 'never' ? undefined : body.digest
  const fields = () => [...commonFields, 'Cache-Control', cacheClasses[cache]]
  return send(exchange, { status: 200, body, digest, fields })
}

/**
 * Sends an error, with the headers of RFC 9110 sections 10.2.1 (Allow), 10.2.3 (Retry-After) and
 * 11.6.1 (WWW-Authenticate), and of RFC 8288 (Link) to the page that explains the error.
 */
export function sendError(exchange: Exchange, error: ErrorAnswer): void | Promise<void> {
  const { status, code, retryAfterS, allow } = error
  exchange.errorCode = code
  const fields = [...commonFields, 'Cache-Control', cacheClasses.never]
  if (status === 401) fields.push('WWW-Authenticate', 'Bearer')
  if (allow !== undefined) fields.push('Allow', allow)
  if (retryAfterS !== undefined) fields.push('Retry-After', String(retryAfterS))
  const siteUrl = exchange.dependencies.site.current?.url
  if (siteUrl !== undefined) fields.push('Link', `<${siteUrl}${errorsPath}#${code}>; rel="help"`)
  const body = jsonBody(toErrorBody(error))
  return send(exchange, { status, body, fields: () => fields })
}

/**
 * Answers a CORS preflight (Fetch standard, "CORS-preflight request"). Other origins may use the
 * same methods everywhere, but their forms are refused.
 */
export function sendPreflight(exchange: Exchange, allow: string = allowedMethods): void {
  const fields = fieldsOf({
    Allow: allow,
    'Access-Control-Allow-Methods': allowedMethods,
    'Access-Control-Allow-Headers': 'Authorization, *',
    'Access-Control-Max-Age': '86400',
  })
  exchange.res.writeHead(204, [...commonFields, ...fields, ...requestFields(exchange)])
  exchange.res.end()
}

/** Sends 204, for something that does not exist yet. */
export function sendNoContent(exchange: Exchange, fields: readonly string[]): void {
  const cacheFields = ['Cache-Control', cacheClasses.never]
  exchange.res.writeHead(204, [...fields, ...cacheFields, ...requestFields(exchange)])
  exchange.res.end()
}

/**
 * Sends a response in the coding that its client prefers, or 304 if the client has it (RFC 9110
 * section 13.1.2). Returns a promise only if the body must be compressed first.
 */
export function send(exchange: Exchange, outgoing: Outgoing): void | Promise<void> {
  const { headers, res } = exchange
  const { body, digest, status, isCompressible = true } = outgoing
  const coding = isCompressible ? chooseCoding(headers['accept-encoding'], body.payload.length) : 'identity'
  const ifNoneMatch = headers['if-none-match']
  if (digest !== undefined && ifNoneMatch !== undefined && status === 200) {
    const etag = etagOf(digest, coding)
    if (matchesEtag(ifNoneMatch, etag)) {
      res.writeHead(304, [...outgoing.fields(), 'ETag', etag, ...requestFields(exchange)])
      res.end()
      return
    }
  }
  const encodedBody = body.encodedBodies[coding]
  if (encodedBody) return write(exchange, status, encodedBody)
  if (coding === 'identity') return write(exchange, status, encode(outgoing, coding, body.payload))
  const encoding = (body.encoding[coding] ??= compressors[coding](body.bytes)
    .then((bytes) => encode(outgoing, coding, payloadOf(bytes)))
    .finally(() => delete body.encoding[coding]))
  return encoding.then((ready) => write(exchange, status, ready))
}

/**
 * Returns a strong entity tag (RFC 9110 section 8.8.3). It identifies the bytes as they are sent,
 * so each coding has its own.
 */
function etagOf(digest: string, coding: Coding): string {
  return `"${digest}${coding === 'identity' ? '' : `-${coding}`}"`
}

/** Whether `If-None-Match` names the entity tag, by weak comparison (RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => tag.replace(/^W\//, '') === etag)
}

/** Returns a body in a coding with its headers, which is created once. */
function encode(
  { body, type = jsonType, digest, fields }: Outgoing,
  coding: Coding,
  payload: Payload,
): EncodedBody {
  const all = [...fields(), 'Content-Type', type, 'Content-Length', String(payload.length)]
  if (digest !== undefined) all.push('ETag', etagOf(digest, coding))
  if (coding !== 'identity') all.push('Content-Encoding', coding)
  return (body.encodedBodies[coding] = { payload, fields: all })
}

function write(exchange: Exchange, status: number, { payload, fields }: EncodedBody): void {
  const { method, res } = exchange
  res.writeHead(status, [...fields, ...requestFields(exchange)])
  if (method === 'HEAD') return void res.end()
  exchange.sentBytes = payload.length
  // Node ignores the encoding of a Buffer.
  res.end(payload, 'latin1')
}

/** Returns the headers that differ from request to request. */
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
