import { basePath } from '#contract/operations.ts'
import { StoreUnavailable } from '#metering/store.ts'
import type { Followed } from '../followed.ts'
import { refuse, showAddressWindow, subjectOf } from '../http/address-window.ts'
import type { Dependencies } from '../http/dependencies.ts'
import type { Exchange } from '../http/exchange.ts'
import { badRequest, methodNotAllowed, unknownPath } from '../http/refusals.ts'
import { allowedMethods, formMethods, sendPreflight } from '../http/respond.ts'
import { requestIdName } from '../http/send.ts'
import { answerFromSite, redirect, sendFormAnswer } from './answer.ts'
import { refuseForm, signUpPath, takeSignUp, type FormAnswer, type MakeAccount } from './sign-up.ts'
import type { SiteProxy } from './site-proxy.ts'
import { findFile, type Site } from './site.ts'

/** What the site is answered with. */
export interface SiteDependencies extends Dependencies {
  site: Followed<Site>
  /** Null if the site is served from the tree. */
  siteProxy: SiteProxy | null
  /** Creates an account for the sign-up form; null if no sign-up is offered. */
  makeAccount: MakeAccount | null
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
  if (path === signUpPath) return answerSignUp(exchange, site, dependencies)
  if (method === 'POST' && `${path}/` === signUpPath) return redirect(exchange, signUpPath)
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
    if (path === signUpPath) return answerSignUp(exchange, site.current, dependencies)
    if (`${path}/` === signUpPath) return redirect(exchange, signUpPath)
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

/** The form is a page of the site. If no sign-up is offered, another page says so. */
function answerSignUp(exchange: Exchange, site: Site, dependencies: SiteDependencies): void | Promise<void> {
  const { makeAccount } = dependencies
  const { method } = exchange
  if (method === 'GET' || method === 'HEAD') {
    const page = makeAccount ? signUpPath : `${signUpPath}closed/`
    return answerPage(exchange, site, page, dependencies, 'text/html')
  }
  const allow = makeAccount ? formMethods : allowedMethods
  if (method === 'OPTIONS') return answerPreflight(exchange, allow, dependencies)
  if (method !== 'POST' || !makeAccount)
    return refuse(exchange, methodNotAllowed(method, allow), dependencies)
  return takeForm(exchange, site, makeAccount, dependencies).then((answer) =>
    sendFormAnswer(exchange, site, answer),
  )
}

/** A form spends a place in the window of its client's address, whatever its outcome. */
async function takeForm(
  exchange: Exchange,
  site: Site,
  makeAccount: MakeAccount,
  dependencies: SiteDependencies,
): Promise<FormAnswer> {
  const subject = subjectOf(exchange, dependencies)
  try {
    const decision = await dependencies.counters.consume(subject, 0)
    exchange.note(decision)
    if (decision.outcome === 'rate_limited') {
      const { retryAfterS } = decision
      const fault = `Your network sent too many requests. Try again in ${retryAfterS} s.`
      return refuseForm(site, { status: 429, retryAfterS, fault })
    }
    return await takeSignUp(exchange.req, { site, makeAccount, address: subject.address })
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    dependencies.storeHealth.failed(error)
    return refuseForm(site, {
      status: 503,
      fault: 'Accounts cannot be created at the moment. Try again later.',
    })
  }
}
