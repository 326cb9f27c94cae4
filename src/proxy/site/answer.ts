import type { ServerResponse } from 'node:http'
import Negotiator from 'negotiator'
import { percentDecode } from '#kit/percent-decode.ts'
import type { WindowState } from '#metering/store.ts'
import { chooseCoding, compress, type Coding } from '../http/coding.ts'
import { matchesEtag } from '../http/etag.ts'
import { jsonType, windowFields, type Recipient } from '../http/respond.ts'
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
export function pageFields(policy: string): [name: string, value: string][] {
  return [
    ['Content-Security-Policy', policy],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
  ]
}

/**
 * Answers GET or HEAD of a path from the site. Gives false where the site has nothing there and the
 * caller asked for no page: the API's own 404 is then the answer.
 */
export function answerFromSite(
  to: Recipient,
  site: Site,
  path: string,
  accept: string | undefined,
): boolean | Promise<void> {
  const address = percentDecode(path, { plusIsSpace: false }) ?? path
  const file = findFile(site, address)
  if (file) return send(to, site, file, 200)
  if (site.files.has(`${address}/`)) return redirect(to.res, `${path}/`)
  const missing = site.files.get('/404.html')
  return missing && wantsPage(accept, missing) ? send(to, site, missing, 404) : false
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
export function redirect(res: ServerResponse, location: string): true {
  res.writeHead(308, { Location: location, 'Cache-Control': revalidated })
  res.end()
  return true
}

/** Sends the page that answers a form. Nobody stores it: it may hold a key. */
export function sendFormAnswer(
  { res }: Recipient,
  { policy }: Site,
  { status, html, retryAfterS, isLast }: FormAnswer,
  window: WindowState | null,
): void {
  const fields = [...pageFields(policy).flat(), 'Cache-Control', 'no-store', ...windowFields(window)]
  if (retryAfterS !== undefined) fields.push('Retry-After', String(retryAfterS))
  if (isLast) fields.push('Connection', 'close')
  fields.push('Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(Buffer.byteLength(html)))
  res.writeHead(status, fields)
  res.end(html)
}

async function send(to: Recipient, site: Site, file: SiteFile, status: number): Promise<void> {
  const coding = file.isWorthCoding ? chooseCoding(to.head.acceptEncoding, file.bytes.length) : 'identity'
  const etag = `"${file.digest}${coding === 'identity' ? '' : `-${coding}`}"`
  const fields = [
    ...pageFields(site.policy).flat(),
    'Cache-Control',
    file.isHashed ? immutable : revalidated,
    'ETag',
    etag,
    'Vary',
    // Where there is no page, `Accept` decides whether the answer is one.
    status === 404 ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
  ]
  if (status === 200 && matchesEtag(to.head.ifNoneMatch, etag)) {
    to.res.writeHead(304, fields)
    to.res.end()
    return
  }
  const bytes = await codedBytes(file, coding)
  const own = ['Content-Type', file.type, 'Content-Length', String(bytes.length)]
  if (coding !== 'identity') own.push('Content-Encoding', coding)
  to.res.writeHead(status, [...fields, ...own])
  to.res.end(to.method === 'HEAD' ? undefined : bytes)
}

async function codedBytes(file: SiteFile, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return file.bytes
  const kept = file.coded.get(coding)
  if (kept) return kept
  const bytes = await compress(file.bytes, coding)
  file.coded.set(coding, bytes)
  return bytes
}
