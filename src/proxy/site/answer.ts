import Negotiator from 'negotiator'
import { percentDecode } from '#kit/percent-decode.ts'
import { textBody } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { jsonType } from '../http/respond.ts'
import { requestFields, send } from '../http/send.ts'
import type { FormAnswer } from './sign-up.ts'
import { findFile, type Site, type SiteFile } from './site.ts'

/**
 * A year, for what never changes under its name; what may change is asked for anew, and mostly not
 * sent again.
 */
const immutable = 'public, max-age=31536000, immutable'
const revalidated = 'no-cache'

/**
 * On every answer of the site. A referrer is sent to other origins: an embedded player wants to
 * know who embeds it.
 */
function pageFields(policy: string): string[] {
  return [
    'Content-Security-Policy',
    policy,
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'strict-origin-when-cross-origin',
    'Permissions-Policy',
    'camera=(), geolocation=(), microphone=()',
    'Cross-Origin-Opener-Policy',
    'same-origin',
  ]
}

/**
 * Answers GET or HEAD of a path from the site. Gives false where the site has nothing there and the
 * caller asked for no page: the API's own 404 is then the answer.
 */
export function answerFromSite(
  exchange: Exchange,
  site: Site,
  path: string,
  accept: string | undefined,
): false | void | Promise<void> {
  const address = percentDecode(path, { plusIsSpace: false }) ?? path
  const file = findFile(site, address)
  if (file) return sendFile(exchange, site, file, 200)
  if (site.files.has(`${address}/`)) return redirect(exchange, `${path}/`)
  const missing = site.files.get('/404.html')
  return missing && wantsPage(accept, missing) ? sendFile(exchange, site, missing, 404) : false
}

/** No browser sends more, and to read 16 KB takes 2 ms. */
const longestAccept = 1_000

/**
 * Whether `Accept` asks for a page rather than for JSON (RFC 9110 section 12.5.1). Where it has no
 * preference, JSON it is: browsers name what they like, programs mostly do not.
 */
function wantsPage(accept: string | undefined, page: SiteFile): boolean {
  if (accept !== undefined && accept.length > longestAccept) return false
  const negotiator = new Negotiator({ headers: accept === undefined ? {} : { accept } })
  return negotiator.mediaType([jsonType, page.type]) === page.type
}

/** Sends the client to another path, with the same method and body. */
export function redirect(exchange: Exchange, location: string): void {
  const { res } = exchange
  res.writeHead(308, ['Location', location, 'Cache-Control', revalidated, ...requestFields(exchange)])
  res.end()
}

/** Sends the page that answers a form. Nobody stores it: it may hold a key. */
export function sendFormAnswer(
  exchange: Exchange,
  { policy }: Site,
  { status, html, retryAfterS, isLast }: FormAnswer,
): void | Promise<void> {
  const fields = [...pageFields(policy), 'Cache-Control', 'no-store']
  if (retryAfterS !== undefined) fields.push('Retry-After', String(retryAfterS))
  if (isLast) fields.push('Connection', 'close')
  const body = textBody(html)
  const type = 'text/html; charset=utf-8'
  return send(exchange, { status, body, type, isCompressible: false, fields: () => fields })
}

function sendFile(
  exchange: Exchange,
  { policy }: Site,
  file: SiteFile,
  status: number,
): void | Promise<void> {
  const { body, type, isCompressible, digest } = file
  const fields = () => [
    ...pageFields(policy),
    'Cache-Control',
    file.isHashed ? immutable : revalidated,
    'Vary',
    // Where there is no page, `Accept` decides whether the answer is one.
    file.isErrorPage ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
  ]
  return send(exchange, { status, body, type, isCompressible, digest, fields })
}
