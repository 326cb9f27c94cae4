import { isAscii } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import { cacheClasses, type CacheClass } from '#contract/cache-classes.ts'
import { toErrorBody, type ErrorAnswer } from '#contract/errors.ts'
import { exposedHeaders } from '#contract/headers.ts'
import type { WindowState } from '#metering/store.ts'
import { identityOf, jsonBody, keptBody, type Body, type Coded } from './body.ts'
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
  const { ifNoneMatch } = to.head
  if (ifNoneMatch !== undefined && digest !== undefined) {
    const etag = etagOf(digest, coding)
    if (matchesEtag(ifNoneMatch, etag)) {
      to.res.writeHead(304, [...everyField, ...answerFields(cache, etag), ...windowFields(window)])
      to.res.end()
      return
    }
  }
  const own = () => answerFields(cache, digest === undefined ? undefined : etagOf(digest, coding))
  return sendBody(to, 200, body, coding, own, window)
}

/** A strong entity tag (RFC 9110 section 8.8.3): of the bytes as they are sent, so each coding has its own. */
function etagOf(digest: string, coding: Coding): string {
  return `"${digest}${coding === 'identity' ? '' : `-${coding}`}"`
}

function answerFields(cache: CacheClass, etag: string | undefined): string[] {
  const own = ['Cache-Control', cacheClasses[cache]]
  return etag === undefined ? own : own.concat('ETag', etag)
}

/** Errors that are sent again and again: their bodies are kept as those of records are. */
const keptErrors = new WeakMap<ErrorAnswer, Body>()

/** Keeps the body of an error for as long as the error itself is kept. */
export function keepError(error: ErrorAnswer): ErrorAnswer {
  keptErrors.set(error, keptBody(errorBody(error)))
  return error
}

/** Sends an error in the one envelope. */
export function sendError(
  to: Recipient,
  error: ErrorAnswer,
  window: WindowState | null,
): void | Promise<void> {
  const body = keptErrors.get(error) ?? errorBody(error)
  const coding = chooseCoding(to.head.acceptEncoding, identityOf(body).length)
  return sendBody(to, error.status, body, coding, () => errorFields(error), window)
}

function errorBody(error: ErrorAnswer): Buffer {
  return jsonBody(JSON.stringify(toErrorBody(error)))
}

/** The fields that belong to an error: RFC 9110 sections 10.2.1 (Allow), 10.2.3 (Retry-After) and 11.6.1 (WWW-Authenticate). */
export function errorFields({ status, retryAfterS }: ErrorAnswer): string[] {
  const own = ['Cache-Control', cacheClasses.never]
  if (status === 401) own.push('WWW-Authenticate', 'Bearer')
  if (status === 405) own.push('Allow', allowedMethods)
  if (retryAfterS !== undefined) own.push('Retry-After', String(retryAfterS))
  return own
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
  own: () => string[],
  window: WindowState | null,
): void | Promise<void> {
  const kept = Buffer.isBuffer(body) ? undefined : body.coded.get(coding)
  if (kept) return write(to, status, kept, window)
  const identity = identityOf(body)
  const keep = (bytes: Buffer): Coded => {
    const isKept = !Buffer.isBuffer(body)
    const made = { bytes, text: isKept ? asText(bytes) : null, fields: bodyFields(own(), coding, bytes) }
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
