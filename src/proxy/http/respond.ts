import { cacheClasses, type CacheClass } from '#contract/cache-classes.ts'
import { toErrorBody, type ErrorAnswer } from '#contract/errors.ts'
import { exposedHeaders } from '#contract/headers.ts'
import { jsonBody, type Body } from './body.ts'
import type { Exchange } from './exchange.ts'
import { requestFields, send } from './send.ts'

/** On every answer of the API: any origin may read it, and it differs by coding. */
export const commonFields: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  exposedHeaders,
  'Vary',
  'Accept-Encoding',
]

export const jsonType = 'application/json; charset=utf-8'
export const allowedMethods = 'GET, HEAD, OPTIONS'
/** Of a page that takes a form. */
export const formMethods = 'GET, HEAD, POST, OPTIONS'

/** Sends a successful answer, or 304 if the caller has it. */
export function sendAnswer(exchange: Exchange, body: Body, cache: CacheClass): void | Promise<void> {
  const digest = cache === 'never' ? undefined : body.digest
  const fields = () => [...commonFields, 'Cache-Control', cacheClasses[cache]]
  return send(exchange, { status: 200, body, type: jsonType, isCompressible: true, digest, fields })
}

/** Sends an error in the one envelope. */
export function sendError(exchange: Exchange, error: ErrorAnswer): void | Promise<void> {
  exchange.errorCode = error.code
  const body = jsonBody(toErrorBody(error, exchange.siteUrl))
  const fields = () => [...commonFields, ...errorFields(error)]
  return send(exchange, { status: error.status, body, type: jsonType, isCompressible: true, fields })
}

/**
 * The fields of an error: RFC 9110 sections 10.2.1 (Allow), 10.2.3 (Retry-After) and 11.6.1
 * (WWW-Authenticate).
 */
export function errorFields({ status, retryAfterS, allow }: ErrorAnswer): string[] {
  const fields = ['Cache-Control', cacheClasses.never]
  if (status === 401) fields.push('WWW-Authenticate', 'Bearer')
  if (allow !== undefined) fields.push('Allow', allow)
  if (retryAfterS !== undefined) fields.push('Retry-After', String(retryAfterS))
  return fields
}

/**
 * Answers a CORS preflight (Fetch standard, "CORS-preflight request"). Other origins may use the
 * same methods everywhere: their forms are refused.
 */
export function sendPreflight(exchange: Exchange, allow: string = allowedMethods): void {
  exchange.res.writeHead(204, [
    ...commonFields,
    'Allow',
    allow,
    'Access-Control-Allow-Methods',
    allowedMethods,
    'Access-Control-Allow-Headers',
    'Authorization, If-None-Match',
    'Access-Control-Max-Age',
    '86400',
    ...requestFields(exchange),
  ])
  exchange.res.end()
}
