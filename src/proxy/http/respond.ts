import type { ServerResponse } from 'node:http'
import { cacheClasses, type CacheClass } from '#contract/cache-classes.ts'
import { toErrorBody, type ErrorAnswer } from '#contract/errors.ts'
import { exposedHeaders } from '#contract/headers.ts'
import type { WindowState } from '#metering/store.ts'
import {
  bytesOf,
  jsonBody,
  keptBody,
  payloadOf,
  sizeOf,
  type Body,
  type Coded,
  type MadeBody,
} from './body.ts'
import { chooseCoding, compress, type Coding } from './coding.ts'
import { matchesEtag } from './etag.ts'
import type { Answer } from './handler.ts'
import type { RequestHead } from './request-head.ts'
import { linesOf, writeHead } from './response-head.ts'

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
 * On every answer: any origin may read it, and what the codings make of it. Fields are name, value,
 * name, value …, as Node takes them without a copy.
 */
export const everyField: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  exposedHeaders,
  'Vary',
  'Accept-Encoding',
]

/** On every answer: the name of the request, which is also in the lines of the logs. */
export const requestIdName = 'X-Request-Id'

export const jsonType = 'application/json; charset=utf-8'
export const allowedMethods = 'GET, HEAD, OPTIONS'
/** Of a page that takes a form. */
export const formMethods = 'GET, HEAD, POST, OPTIONS'

/**
 * Sends a successful answer, or 304 where the caller has it (RFC 9110 section 13.1.2). A promise
 * only where the body must first be coded.
 */
export function sendAnswer(
  to: Recipient,
  { body, digest }: Answer,
  cache: CacheClass,
  window: WindowState | null,
): void | Promise<void> {
  const coding = chooseCoding(to.head.acceptEncoding, sizeOf(body))
  const { ifNoneMatch } = to.head
  if (ifNoneMatch !== undefined && digest !== undefined) {
    const etag = etagOf(digest, coding)
    if (matchesEtag(ifNoneMatch, etag)) {
      to.res.writeHead(304, [
        ...everyField,
        ...answerFields(cache, etag),
        ...windowFields(window),
        requestIdName,
        to.requestId,
      ])
      to.res.end()
      return
    }
  }
  const own = () => linesOf(answerFields(cache, digest === undefined ? undefined : etagOf(digest, coding)))
  return sendBody(to, 200, body, coding, own, window)
}

/**
 * A strong entity tag (RFC 9110 section 8.8.3): of the bytes as they are sent, so each coding has
 * its own.
 */
function etagOf(digest: string, coding: Coding): string {
  return `"${digest}${coding === 'identity' ? '' : `-${coding}`}"`
}

function answerFields(cache: CacheClass, etag: string | undefined): string[] {
  const cacheControl = cacheClasses[cache]
  return etag === undefined ? ['Cache-Control', cacheControl] : ['Cache-Control', cacheControl, 'ETag', etag]
}

/** Errors that are sent again and again: their bodies are kept as those of records are. */
const keptErrors = new WeakMap<ErrorAnswer, Body>()

/** Keeps the body of an error for as long as the error itself is kept. */
export function keepError(error: ErrorAnswer): ErrorAnswer {
  keptErrors.set(error, keptBody(bytesOf(errorBody(error))))
  return error
}

/** Sends an error in the one envelope. */
export function sendError(
  to: Recipient,
  error: ErrorAnswer,
  window: WindowState | null,
): void | Promise<void> {
  const body = keptErrors.get(error) ?? errorBody(error)
  const coding = chooseCoding(to.head.acceptEncoding, sizeOf(body))
  return sendBody(to, error.status, body, coding, () => linesOf(errorFields(error)), window)
}

function errorBody(error: ErrorAnswer): MadeBody {
  return jsonBody(JSON.stringify(toErrorBody(error)))
}

/**
 * The fields that belong to an error: RFC 9110 sections 10.2.1 (Allow), 10.2.3 (Retry-After) and
 * 11.6.1 (WWW-Authenticate).
 */
export function errorFields({ status, retryAfterS, allow }: ErrorAnswer): string[] {
  const own = ['Cache-Control', cacheClasses.never]
  if (status === 401) own.push('WWW-Authenticate', 'Bearer')
  if (allow !== undefined) own.push('Allow', allow)
  if (retryAfterS !== undefined) own.push('Retry-After', String(retryAfterS))
  return own
}

/**
 * Answers a CORS preflight (Fetch standard, "CORS-preflight request"). What other origins may send
 * is the same everywhere: forms of theirs are not heeded.
 */
export function sendPreflight(
  { res, requestId }: Recipient,
  window: WindowState | null,
  allow: string = allowedMethods,
): void {
  res.writeHead(204, [
    ...everyField,
    ...windowFields(window),
    requestIdName,
    requestId,
    'Allow',
    allow,
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
  own: () => string,
  window: WindowState | null,
): void | Promise<void> {
  const kept = 'coded' in body ? body.coded.get(coding) : undefined
  if (kept) return write(to, status, kept, window)
  if (coding !== 'identity') {
    return compress(bytesOf(body), coding).then((bytes) =>
      write(to, status, keep(body, coding, payloadOf(bytes), bytes.length, own()), window),
    )
  }
  const payload = 'byteText' in body ? body.byteText : payloadOf(body.identity)
  write(to, status, keep(body, coding, payload, sizeOf(body), own()), window)
}

/** A body in a coding, with its fields: kept where the body is. */
function keep(body: Body, coding: Coding, payload: Buffer | string, sizeBytes: number, own: string): Coded {
  const coded = { payload, lines: bodyLines(own, coding, sizeBytes) }
  if ('coded' in body) body.coded.set(coding, coded)
  return coded
}

function write(to: Recipient, status: number, { payload, lines }: Coded, window: WindowState | null): void {
  const { method, res, requestId } = to
  writeHead(res, status, `${lines}${windowLines(window)}${requestIdName}: ${requestId}\r\n`)
  if (method !== 'HEAD') to.sentBytes = payload.length
  if (method === 'HEAD') res.end()
  // Of a Buffer the encoding is ignored.
  else res.end(payload, 'latin1')
}

const bodyOpening = linesOf([...everyField, 'Content-Type', jsonType])

function bodyLines(own: string, coding: Coding, sizeBytes: number): string {
  const lines = `${bodyOpening}${own}Content-Length: ${sizeBytes}\r\n`
  return coding === 'identity' ? lines : `${lines}Content-Encoding: ${coding}\r\n`
}

/** The fields that show a window. */
export function windowFields(window: WindowState | null): string[] {
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

function windowLines(window: WindowState | null): string {
  return linesOf(windowFields(window))
}
