import Negotiator from 'negotiator'
import { percentDecode } from '#kit/percent-decode.ts'
import { refuse } from '../http/address-window.ts'
import { Body, type Payload } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { splitTarget } from '../http/match.ts'
import { unknownPath } from '../http/refusals.ts'
import { fieldsOf, jsonType, requestFields, send } from '../http/send.ts'
import { findFile, type Site, type SiteFile } from './site.ts'

/** A year for files whose name contains their hash. Browsers revalidate the others. */
export const immutable = 'public, max-age=31536000, immutable'
const revalidationPolicy = 'no-cache'

/**
 * Returns the headers of every response of the site. Other origins get a referrer, because an
 * embedded player requires one.
 */
export function pageFields(policy: string): string[] {
  return fieldsOf({
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
  })
}

/**
 * Answers GET or HEAD for a path from the site. If the site has no such file, a caller that does
 * not want a page gets the API's 404.
 */
export function answerPage(
  exchange: Exchange,
  site: Site,
  path: string,
  accept = exchange.req.headers.accept,
): void | Promise<void> {
  const address = percentDecode(path, { plusIsSpace: false }) ?? path
  const file = findFile(site, address)
  if (file) return sendFile(exchange, file, 200)
  if (site.files.has(`${address}/`)) return redirect(exchange, `${path}/`)
  const missing = site.files.get('/404.html')
  return missing && wantsPage(accept, missing)
    ? sendFile(exchange, missing, 404)
    : refuse(exchange, unknownPath(path))
}

/** The maximum length. No browser sends more, and parsing 16 KB takes 2 ms. */
const longestAccept = 1_000

/**
 * Whether `Accept` prefers a page to JSON (RFC 9110 section 12.5.1). Without a preference, JSON is
 * sent: browsers state one, and most programs do not.
 */
function wantsPage(accept: string | undefined, page: SiteFile): boolean {
  if (accept !== undefined && accept.length > longestAccept) return false
  const negotiator = new Negotiator({ headers: accept === undefined ? {} : { accept } })
  return negotiator.mediaType([jsonType, page.type]) === page.type
}

/** Sends the client to another path, with the same query, method and body. */
export function redirect(exchange: Exchange, path: string): void {
  const { req, res } = exchange
  const { query } = splitTarget(req.url!)
  const location = query === '' ? path : `${path}?${query}`
  res.writeHead(308, ['Location', location, 'Cache-Control', revalidationPolicy, ...requestFields(exchange)])
  res.end()
}

/** How a rendered page is sent. */
export interface RenderedAnswer {
  status: number
  html: Payload
  retryAfterS?: number | undefined
  isLast?: boolean | undefined
}

/** Sends a page that was rendered for the request. It may contain a key, so nobody may store it. */
export function sendRendered(
  exchange: Exchange,
  { policy }: Site,
  { status, html, retryAfterS, isLast }: RenderedAnswer,
): void | Promise<void> {
  const fields = [...pageFields(policy), 'Cache-Control', 'no-store']
  if (retryAfterS !== undefined) fields.push('Retry-After', String(retryAfterS))
  if (isLast) fields.push('Connection', 'close')
  const body = new Body(html)
  const type = 'text/html; charset=utf-8'
  return send(exchange, { status, body, type, isCompressible: false, fields: () => fields })
}

function sendFile(exchange: Exchange, file: SiteFile, status: number): void | Promise<void> {
  const { body, type, isCompressible, isHashed, isErrorPage, policy } = file
  const fields = () => [
    ...pageFields(policy),
    ...fieldsOf({
      // Pages of other origins may also use the player and the previews.
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': isHashed ? immutable : revalidationPolicy,
      // For a missing path, `Accept` decides whether the response is a page.
      Vary: isErrorPage ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
    }),
  ]
  return send(exchange, { status, body, type, isCompressible, digest: body.digest, fields })
}
