import { basePath } from '#contract/operations.ts'
import type { RenderedPages } from '#contract/rendered-pages.ts'
import { StoreUnavailable } from '#metering/store.ts'
import type { Followed } from '../followed.ts'
import { refuse, showAddressWindow, subjectOf } from '../http/address-window.ts'
import type { Dependencies } from '../http/dependencies.ts'
import type { Exchange } from '../http/exchange.ts'
import { badRequest, methodNotAllowed, unknownPath } from '../http/refusals.ts'
import { allowedMethods, formMethods, sendPreflight } from '../http/respond.ts'
import { requestIdName } from '../http/send.ts'
import { answerFromSite, redirect, sendRendered, type RenderedAnswer } from './answer.ts'
import { readForm, type FormAnswer } from './forms.ts'
import { takeKeyForm, type KeyHolder } from './key-form.ts'
import { isRendered, type RenderPage } from './page-renderer.ts'
import { takeSignUp, type MakeAccount } from './sign-up.ts'
import type { SiteProxy } from './site-proxy.ts'
import { findFile, type Site } from './site.ts'

/** What the site is answered with. */
export interface SiteDependencies extends Dependencies {
  site: Followed<Site>
  /** Null if the site is served from the tree. */
  siteProxy: SiteProxy | null
  /** Creates an account for the sign-up form; null if no sign-up is offered. */
  makeAccount: MakeAccount | null
  keyHolder: KeyHolder
}

/**
 * Answers a path that no operation has: a page of the site, which needs no key and is not counted,
 * or 404.
 */
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
  if (isApi || !site) return refuse(exchange, unknownPath(path), dependencies)
  if (isRendered(path)) return answerRendered(exchange, site, path, dependencies)
  if (isRendered(`${path}/`)) return redirect(exchange, `${path}/`)
  const isPage = findFile(site, path) !== undefined
  if (method === 'OPTIONS' && isPage) return answerPreflight(exchange, allowedMethods, dependencies)
  if (method !== 'GET' && method !== 'HEAD')
    return refuse(exchange, isPage ? methodNotAllowed(method) : unknownPath(path), dependencies)
  return answerPage(exchange, site, path, dependencies)
}

/** Not CONNECT and TRACE, which are for proxies of another kind. */
const forwardedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const noUpgrade = badRequest(400, 'the site takes no upgrade to another protocol')

/** Forwards a request to the server of the site. Sign-up forms are answered here. */
function forward(
  exchange: Exchange,
  path: string,
  siteProxy: SiteProxy,
  dependencies: SiteDependencies,
): void | Promise<void> {
  const { req, res, method, requestId } = exchange
  const { site, makeAccount, clientAddresses } = dependencies
  if (!forwardedMethods.includes(method))
    return refuse(exchange, methodNotAllowed(method, forwardedMethods.join(', ')), dependencies)
  if (req.headers.upgrade !== undefined) return refuse(exchange, noUpgrade, dependencies)
  if (method === 'POST' && makeAccount && site.current) {
    if (isRendered(path)) return answerRendered(exchange, site.current, path, dependencies)
    if (isRendered(`${path}/`)) return redirect(exchange, `${path}/`)
  }
  res.setHeader(requestIdName, requestId)
  const address = clientAddresses.addressOf(exchange.peer, exchange.headers.forwardedFor)
  const { isTrusted } = clientAddresses.peer(exchange.peer)
  return siteProxy.forward(req, res, { address, requestId, isTrusted })
}

function answerPage(
  exchange: Exchange,
  site: Site,
  path: string,
  dependencies: SiteDependencies,
  accept = exchange.req.headers.accept,
): void | Promise<void> {
  const answered = answerFromSite(exchange, site, path, accept)
  return answered === false ? refuse(exchange, unknownPath(path), dependencies) : answered
}

async function answerPreflight(
  exchange: Exchange,
  allow: string,
  dependencies: SiteDependencies,
): Promise<void> {
  await showAddressWindow(exchange, dependencies)
  sendPreflight(exchange, allow)
}

/** A page that the proxy has rendered: an empty form, or the answer to one that was sent. */
async function answerRendered(
  exchange: Exchange,
  site: Site,
  path: keyof RenderedPages,
  dependencies: SiteDependencies,
): Promise<void> {
  const { method } = exchange
  const isOffered = site.renderer !== null && (path !== '/signup/' || dependencies.makeAccount !== null)
  const allow = isOffered ? formMethods : allowedMethods
  if (method === 'OPTIONS') return answerPreflight(exchange, allow, dependencies)
  if (method === 'GET' || method === 'HEAD')
    return isOffered
      ? sendRendered(exchange, site, { status: 200, html: await site.renderer!.form(path) })
      : answerPage(exchange, site, `${path}closed/`, dependencies, 'text/html')
  if (method !== 'POST' || !isOffered) return refuse(exchange, methodNotAllowed(method, allow), dependencies)
  return takeForm(exchange, site, path, dependencies)
}

/** A form spends a place in the window of its client's address, whatever its outcome. */
async function takeForm(
  exchange: Exchange,
  site: Site,
  path: keyof RenderedPages,
  dependencies: SiteDependencies,
): Promise<void> {
  const subject = subjectOf(exchange, dependencies)
  const form = await readForm(exchange.req)
  const isLast = !(form instanceof URLSearchParams) && form.isLast
  await renderAnswer(exchange, site, path, isLast, async () => {
    try {
      const decision = await dependencies.counters.consume(subject, 0)
      exchange.note(decision)
      if (decision.outcome === 'rate_limited') {
        const { retryAfterS } = decision
        const fault = `Your network sent too many requests. Try again in ${retryAfterS} s.`
        return { status: 429, retryAfterS, html: plainPage('Too many requests', fault) }
      }
      if (!(form instanceof URLSearchParams)) return form
      if (path === '/key/') return await takeKeyForm(form, dependencies.keyHolder)
      return await takeSignUp(form, dependencies.makeAccount!, subject.address)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      dependencies.storeHealth.failed(error)
      return { status: 503, page: { fault: 'The service cannot do this at the moment. Try again later.' } }
    }
  })
}

/**
 * Sends what the work gives, rendered unless that is a whole page. The place for the rendering is
 * taken before the work is done: a key that cannot be shown must not be made.
 */
async function renderAnswer(
  exchange: Exchange,
  site: Site,
  path: keyof RenderedPages,
  isLast: boolean | undefined,
  work: () => Promise<FormAnswer<RenderedPages[keyof RenderedPages]> | RenderedAnswer>,
): Promise<void> {
  const answer = await site.renderer!.use(async (render: RenderPage) => {
    const answer = await work()
    return 'html' in answer ? answer : { ...answer, html: await render(path, answer.page) }
  })
  await sendRendered(exchange, site, { ...(answer ?? busy), isLast })
}

/** A page that costs nothing, for those who ask too often. */
const plainPage = (title: string, text: string) => `<!doctype html><title>${title}</title><p>${text}`

/** The answer when too many pages are being rendered. */
const busy = {
  status: 503,
  retryAfterS: 1,
  html: plainPage('Busy', 'Too many people ask for this page at the moment. Go back and try again.'),
}
