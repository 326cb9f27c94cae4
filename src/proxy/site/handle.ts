import type { IncomingMessage } from 'node:http'
import { basePath } from '#contract/operations.ts'
import type { RenderedPages } from '#contract/rendered-pages.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { StoreUnavailable } from '#metering/store.ts'
import type { Followed } from '../followed.ts'
import { answerPreflight, refuse } from '../http/address-window.ts'
import type { Exchange } from '../http/exchange.ts'
import { brokenBody, describeFault, type ParseError } from '../http/parse-error.ts'
import {
  allowedMethods,
  badRequest,
  methodNotAllowed,
  SiteUnreachable,
  unknownPath,
} from '../http/refusals.ts'
import { requestIdName, sendError } from '../http/send.ts'
import { answerPage, redirect, sendRendered, type RenderedAnswer } from './answer.ts'
import { readForm, takeKeyForm, takeSignUp, type MakeAccount } from './forms.ts'
import { isRendered } from './page-renderer.ts'
import { answerSampleAudio, sampleAudioName } from './sample-audio.ts'
import type { SiteProxy } from './site-proxy.ts'
import { findFile, type Site } from './site.ts'

/** Everything that is needed to serve the site. */
export interface SiteDependencies {
  site: Followed<Site>
  /** Null if the site is served from the tree. */
  siteProxy: SiteProxy | null
  /** Creates an account for the sign-up form; null if sign-up is closed. */
  makeAccount: MakeAccount | null
  store: MeterStore
  /** The tree, if it is on this machine. */
  treeFolder: string | undefined
}

/** Answers a path that no operation has: with a page, which needs no key and is free, or 404. */
export function answerOutsideApi(
  exchange: Exchange,
  path: string,
  dependencies: SiteDependencies,
): void | Promise<void> {
  const { siteProxy } = dependencies
  const site = dependencies.site.current
  const { method } = exchange
  const isApi = path === basePath || path.startsWith(`${basePath}/`)
  if (!isApi && siteProxy) return forward(exchange, path, siteProxy, dependencies)
  if (isApi || !site) return refuse(exchange, unknownPath(path))
  if (isRendered(path)) return answerRendered(exchange, site, path, dependencies)
  if (isRendered(`${path}/`)) return redirect(exchange, `${path}/`)
  const audioName = sampleAudioName(path)
  const isPage = audioName !== null || findFile(site, path) !== undefined
  if (method === 'OPTIONS' && isPage) return answerPreflight(exchange)
  if (method !== 'GET' && method !== 'HEAD')
    return refuse(exchange, isPage ? methodNotAllowed(method) : unknownPath(path))
  if (audioName === null) return answerPage(exchange, site, path)
  return answerSampleAudio(exchange, audioName, dependencies.treeFolder, site.policy)
}

/** Excludes CONNECT and TRACE, which are for other kinds of proxies. */
const forwardedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const noUpgrade = badRequest(400, 'The site does not support upgrades to other protocols.')
/**
 * Methods whose requests have no body. If one has a body, http-proxy forwards it without its
 * framing, and the site would read it as another request.
 */
const bodilessMethods = ['GET', 'HEAD', 'DELETE', 'OPTIONS']

/** Forwards a request to the server of the site. Sign-up forms are handled here. */
function forward(
  exchange: Exchange,
  path: string,
  siteProxy: SiteProxy,
  dependencies: SiteDependencies,
): void | Promise<void> {
  const { req, res, method, requestId, peer } = exchange
  const { site, makeAccount } = dependencies
  if (!forwardedMethods.includes(method))
    return refuse(exchange, methodNotAllowed(method, forwardedMethods.join(', ')))
  // The asterisk of OPTIONS, or an address that is not of HTTP.
  if (!path.startsWith('/')) return refuse(exchange, unknownPath(path))
  if (req.headers.upgrade !== undefined) return refuse(exchange, noUpgrade)
  if (bodilessMethods.includes(method) && hasBody(req)) {
    // The rest of the connection may be a body or a request, and neither is read.
    res.shouldKeepAlive = false
    return refuse(exchange, badRequest(400, `A ${method} request to the site must not have a body.`))
  }
  if (method === 'POST' && makeAccount && site.current) {
    if (isRendered(path)) return answerRendered(exchange, site.current, path, dependencies)
    if (isRendered(`${path}/`)) return redirect(exchange, `${path}/`)
  }
  res.setHeader(requestIdName, requestId)
  req.once(brokenBody, (error: ParseError) => {
    if (res.headersSent) return void res.destroy()
    // Closing the connection also ends the request to the site, which waits for the rest.
    res.shouldKeepAlive = false
    void sendError(exchange, describeFault(error) ?? badRequest(400, 'The request body is malformed.'))
  })
  const { trustedProxies } = exchange.dependencies
  const address = trustedProxies.clientOf(peer, exchange.headers['x-forwarded-for'])
  const client = { address, requestId, isTrusted: trustedProxies.has(peer) }
  return siteProxy.forward(req, res, client).catch((error: Error) => {
    throw new SiteUnreachable(error)
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0
}

/** The methods of a page that accepts a form. */
const formMethods = 'GET, HEAD, POST, OPTIONS'

/** Sends a page that the proxy has rendered: an empty form, or the response to a submitted one. */
async function answerRendered(
  exchange: Exchange,
  site: Site,
  path: keyof RenderedPages,
  dependencies: SiteDependencies,
): Promise<void> {
  const { method } = exchange
  const isOffered = site.renderer !== null && (path !== '/signup/' || dependencies.makeAccount !== null)
  const allow = isOffered ? formMethods : allowedMethods
  if (method === 'OPTIONS') return answerPreflight(exchange, allow)
  if (method === 'GET' || method === 'HEAD')
    return isOffered
      ? sendRendered(exchange, site, { status: 200, html: await site.renderer!.page(path, {}) })
      : answerPage(exchange, site, `${path}closed/`, 'text/html')
  if (method !== 'POST' || !isOffered) return refuse(exchange, methodNotAllowed(method, allow))
  return takeForm(exchange, site, path, dependencies)
}

/**
 * Handles a form, and sends the page with the result. Uses a place in the window of the client's
 * address. Reserves the place for the rendering first, because a key that cannot be shown must not
 * be created.
 */
async function takeForm(
  exchange: Exchange,
  site: Site,
  path: keyof RenderedPages,
  { store, makeAccount }: SiteDependencies,
): Promise<void> {
  const renderer = site.renderer!
  // Most requests of a flood are refused here, and cost no more than other refusals.
  if (renderer.isBusy) return sendRendered(exchange, site, busy)
  const form = await readForm(exchange.req)
  const isLast = !(form instanceof URLSearchParams) && form.isLast
  const answer = (page: RenderedAnswer) => sendRendered(exchange, site, { ...page, isLast })
  const { counters, faultLog } = exchange.dependencies
  const subject = exchange.addressSubject
  const doForm = (fields: URLSearchParams) =>
    path === '/key/' ? takeKeyForm(fields, store) : takeSignUp(fields, makeAccount!, subject.address)
  try {
    const decision = await counters.consume(subject, 0)
    exchange.note(decision)
    if (decision.outcome === 'rate_limited') return await answer(tooMany(decision.retryAfterS))
    const page = await renderer.use(async () => {
      const result = form instanceof URLSearchParams ? await doForm(form) : form
      return { ...result, html: await renderer.page(path, result.page) }
    })
    await answer(page ?? busy)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    faultLog.requestFailed(error, exchange)
    const fault = 'The service cannot do this at the moment. Try again later.'
    await answer({ status: 503, html: await renderer.page(path, { fault }) })
  }
}

/** Returns a page that costs nothing, for clients that send too many requests. */
const plainPage = (title: string, text: string) => `<!doctype html><title>${title}</title><p>${text}`

function tooMany(retryAfterS: number): RenderedAnswer {
  const text = `Your network sent too many requests. Try again in ${retryAfterS} s.`
  return { status: 429, retryAfterS, html: plainPage('Too many requests', text) }
}

/** The response if too many pages are being rendered. */
const busy = {
  status: 503,
  retryAfterS: 1,
  html: plainPage('Busy', 'Too many people ask for this page at the moment. Go back and try again.'),
}
