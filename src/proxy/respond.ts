import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { cacheClasses, type CacheClass } from '#contract/cache-classes.ts'
import { toErrorBody, type ErrorAnswer } from '#contract/errors.ts'
import { exposedHeaders } from '#contract/headers.ts'
import type { WindowState } from '#metering/store.ts'
import { chooseCoding, encode, identityOf } from './coding.ts'
import { matchesEtag } from './etag.ts'
import type { Answer } from './handler.ts'

/** On every answer: any origin may read it, and what the codings make of it. */
export const everyHeader = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders,
  Vary: 'Accept-Encoding',
} as const

export const jsonType = 'application/json; charset=utf-8'

/** The headers that show a window. */
export function windowHeaders(window: WindowState | null): OutgoingHttpHeaders {
  return window === null
    ? {}
    : {
        'X-RateLimit-Limit': window.limit,
        'X-RateLimit-Remaining': window.remaining,
        'X-RateLimit-Reset': window.resetAtS,
      }
}

/** Sends a successful answer, or 304 where the caller has it (RFC 9110 section 13.1.2). */
export async function sendAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  answer: Answer,
  cache: CacheClass,
  window: WindowState | null,
): Promise<void> {
  const coding = chooseCoding(req.headers['accept-encoding'], identityOf(answer.body).length)
  const etag =
    answer.digest === undefined ? undefined : `"${answer.digest}${coding === 'identity' ? '' : `-${coding}`}"`
  const headers: OutgoingHttpHeaders = {
    ...everyHeader,
    ...windowHeaders(window),
    'Cache-Control': cacheClasses[cache],
    ...(etag === undefined ? {} : { ETag: etag }),
  }
  if (etag !== undefined && matchesEtag(req.headers['if-none-match'], etag)) {
    res.writeHead(304, headers).end()
    return
  }
  const bytes = await encode(answer.body, coding)
  res.writeHead(200, {
    ...headers,
    'Content-Type': jsonType,
    'Content-Length': bytes.length,
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
  })
  res.end(req.method === 'HEAD' ? undefined : bytes)
}

/** Sends an error in the one envelope. `extra` are the headers that belong to its status. */
export async function sendError(
  req: IncomingMessage,
  res: ServerResponse,
  error: ErrorAnswer,
  window: WindowState | null,
  extra: OutgoingHttpHeaders = {},
): Promise<void> {
  const identity = Buffer.from(JSON.stringify(toErrorBody(error)))
  const coding = chooseCoding(req.headers['accept-encoding'], identity.length)
  const bytes = await encode(identity, coding)
  res.writeHead(error.status, {
    ...everyHeader,
    ...windowHeaders(window),
    ...(error.retryAfterS === undefined ? {} : { 'Retry-After': error.retryAfterS }),
    ...extra,
    'Cache-Control': cacheClasses.never,
    'Content-Type': jsonType,
    'Content-Length': bytes.length,
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
  })
  res.end(req.method === 'HEAD' ? undefined : bytes)
}

/** Answers a CORS preflight (Fetch standard, "CORS-preflight request"). */
export function sendPreflight(res: ServerResponse, window: WindowState | null): void {
  res.writeHead(204, {
    ...everyHeader,
    ...windowHeaders(window),
    Allow: allowedMethods,
    'Access-Control-Allow-Methods': allowedMethods,
    'Access-Control-Allow-Headers': 'Authorization, If-None-Match',
    'Access-Control-Max-Age': 86_400,
  })
  res.end()
}

export const allowedMethods = 'GET, HEAD, OPTIONS'
