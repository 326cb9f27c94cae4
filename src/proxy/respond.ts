import { isAscii } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import { cacheClasses, type CacheClass } from '#contract/cache-classes.ts'
import { toErrorBody, type ErrorAnswer } from '#contract/errors.ts'
import { exposedHeaders } from '#contract/headers.ts'
import type { WindowState } from '#metering/store.ts'
import { identityOf, jsonBody, type Body, type Coded } from './body.ts'
import { chooseCoding, compress, type Coding } from './coding.ts'
import { matchesEtag } from './etag.ts'
import type { Answer } from './handler.ts'
import type { RequestHead } from './request-head.ts'

/** What an answer needs to know of its request. */
export interface Recipient {
  method: string
  head: RequestHead
  res: ServerResponse
}

/** On every answer: any origin may read it, and what the codings make of it. Fields are name, value, name, value …, as Node takes them without a copy. */
export const everyField: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  exposedHeaders,
  'Vary',
  'Accept-Encoding',
]

/** Bodies up to this many bytes are sent as texts. */
const longestText = 4096

export const jsonType = 'application/json; charset=utf-8'
export const allowedMethods = 'GET, HEAD, OPTIONS'

/** Sends a successful answer, or 304 where the caller has it (RFC 9110 section 13.1.2). A promise only where the body must first be coded. */
export function sendAnswer(
  to: Recipient,
  { body, digest }: Answer,
  cache: CacheClass,
  window: WindowState | null,
): void | Promise<void> {
  const coding = chooseCoding(to.head.acceptEncoding, identityOf(body).length)
  const kept = Buffer.isBuffer(body) || to.head.ifNoneMatch !== undefined ? undefined : body.coded.get(coding)
  if (kept) return write(to, 200, kept, window)
  const etag = digest === undefined ? undefined : `"${digest}${coding === 'identity' ? '' : `-${coding}`}"`
  const own = ['Cache-Control', cacheClasses[cache], ...(etag === undefined ? [] : ['ETag', etag])]
  if (etag !== undefined && matchesEtag(to.head.ifNoneMatch, etag)) {
    to.res.writeHead(304, [...everyField, ...own, ...windowFields(window)])
    to.res.end()
    return
  }
  return sendBody(to, 200, body, coding, own, window)
}

/** Sends an error in the one envelope. `extra` are the fields that belong to its status. */
export function sendError(
  to: Recipient,
  error: ErrorAnswer,
  window: WindowState | null,
  extra: readonly string[] = [],
): void | Promise<void> {
  const body = jsonBody(JSON.stringify(toErrorBody(error)))
  const retryAfter = error.retryAfterS === undefined ? [] : ['Retry-After', String(error.retryAfterS)]
  const own = ['Cache-Control', cacheClasses.never, ...retryAfter, ...extra]
  return sendBody(to, error.status, body, chooseCoding(to.head.acceptEncoding, body.length), own, window)
}

/** Answers a CORS preflight (Fetch standard, "CORS-preflight request"). */
export function sendPreflight({ res }: Recipient, window: WindowState | null): void {
  res.writeHead(204, [
    ...everyField,
    ...windowFields(window),
    'Allow',
    allowedMethods,
    'Access-Control-Allow-Methods',
    allowedMethods,
    'Access-Control-Allow-Headers',
    'Authorization, If-None-Match',
    'Access-Control-Max-Age',
    '86400',
  ])
  res.end()
}

function sendBody(
  to: Recipient,
  status: number,
  body: Body,
  coding: Coding,
  own: readonly string[],
  window: WindowState | null,
): void | Promise<void> {
  const kept = Buffer.isBuffer(body) ? undefined : body.coded.get(coding)
  if (kept) return write(to, status, kept, window)
  const identity = identityOf(body)
  const keep = (bytes: Buffer): Coded => {
    const isKept = !Buffer.isBuffer(body)
    const made = { bytes, text: isKept ? asText(bytes) : null, fields: bodyFields(own, coding, bytes) }
    if (isKept) body.coded.set(coding, made)
    return made
  }
  if (coding === 'identity') return write(to, status, keep(identity), window)
  return compress(identity, coding).then((bytes) => write(to, status, keep(bytes), window))
}

function write(
  { method, res }: Recipient,
  status: number,
  { bytes, text, fields }: Coded,
  window: WindowState | null,
): void {
  res.writeHead(status, fields.concat(windowFields(window)))
  res.end(method === 'HEAD' ? undefined : (text ?? bytes))
}

function asText(bytes: Buffer): string | null {
  return bytes.length <= longestText && isAscii(bytes) ? bytes.toString('latin1') : null
}

function bodyFields(own: readonly string[], coding: Coding, bytes: Buffer): string[] {
  return [
    ...everyField,
    ...own,
    'Content-Type',
    jsonType,
    'Content-Length',
    String(bytes.length),
    ...(coding === 'identity' ? [] : ['Content-Encoding', coding]),
  ]
}

/** The fields that show a window. */
function windowFields(window: WindowState | null): string[] {
  if (window === null) return []
  return [
    'X-RateLimit-Limit',
    String(window.limit),
    'X-RateLimit-Remaining',
    String(window.remaining),
    'X-RateLimit-Reset',
    String(window.resetAtS),
  ]
}
