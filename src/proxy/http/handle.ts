import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorAnswer, ErrorCode } from '#contract/errors.ts'
import type { Operation } from '#contract/operations.ts'
import {
  StoreUnavailable,
  type Counters,
  type Decision,
  type Receipt,
  type Subject,
  type WindowState,
} from '#metering/store.ts'
import { clientGone, type OnAnswered } from './answered-request.ts'
import { Authenticator } from './authenticate.ts'
import type { ClientAddresses } from './client-address.ts'
import type { Cursors } from './cursor.ts'
import { isError, type Answer, type Handler, type Handlers, type LookUp } from './handler.ts'
import { OriginFault, type OriginReason } from '#release/origin/origin-fault.ts'
import { DamagedFile } from '#release/tree.ts'
import type { Release } from '#release/release.ts'
import type { Followed } from '../followed.ts'
import { answerFromSite, redirect, sendFormAnswer } from '../site/answer.ts'
import { findFile, type Site } from '../site/site.ts'
import {
  refuseTooMany,
  refuseUnavailable,
  signUpPath,
  takeSignUp,
  type FormAnswer,
  type MakeAccount,
} from '../site/sign-up.ts'
import { basePath } from '#contract/operations.ts'
import {
  internal,
  invalidKey,
  methodNotAllowed,
  noHost,
  noOrigin,
  noSite,
  noRelease,
  noStore,
  quotaExceeded,
  rateLimited,
  unknownPath,
} from './refusals.ts'
import { SiteFault, type SiteProxy } from '../site/site-proxy.ts'
import { OriginLog } from './origin-log.ts'
import { readHead } from './request-head.ts'
import type { RequestIds } from './request-id.ts'
import { splitTarget } from './request-target.ts'
import { allowedMethods, formMethods, sendAnswer, sendError, sendPreflight } from './respond.ts'
import { requestIdName, type Recipient } from './send.ts'
import { Router, type Route } from './router.ts'
import { sizeFault } from './size-limits.ts'
import { StoreHealth, type HealthLog } from './store-health.ts'

/** What the proxy works with. */
export interface Parts {
  counters: Counters
  cursors: Cursors
  release: Followed<Release>
  handlers: Handlers
  site: Followed<Site>
  /** Null where the site is served from the tree. */
  siteProxy: SiteProxy | null
  /** What the sign-up calls; null where none is offered. */
  makeAccount: MakeAccount | null
  clientAddresses: ClientAddresses
  requestIds: RequestIds
  /** Requests a minute that a client address may make without a key. */
  publicPerMinute: number
  /** Null where nobody wants to hear of the requests answered. */
  onAnswered: OnAnswered | null
  log: HealthLog
}

/** What is known of bytes that were refused before they were a request. */
const unreadRequest = {
  method: '',
  operation: null,
  durationMs: 0,
  sizeBytes: 0,
  account: null,
  keyId: null,
  originFault: null,
}

/** What answers requests. */
export interface RequestHandler {
  handle(req: IncomingMessage, res: ServerResponse): void
  /**
   * Tells that a client's bytes were refused before they were a request; gives the id for the
   * answer.
   */
  refused(error: ErrorAnswer, client: string): string
  /**
   * The window of a client that sent no request that Node can read; null where it cannot be known.
   */
  peekWindow(peer: string | undefined, forwardedFor: string | undefined): Promise<WindowState | null>
}

export function createRequestHandler(parts: Parts): RequestHandler {
  const shared: Shared = {
    ...parts,
    router: new Router(),
    authenticator: new Authenticator(),
    health: new StoreHealth(parts.log),
    originLog: new OriginLog(parts.log),
  }
  return {
    handle(req, res) {
      const exchange = new Exchange(shared, req, res)
      if (shared.onAnswered) exchange.tellWhenAnswered(shared.onAnswered)
      try {
        exchange.run()?.catch((error: Error) => exchange.fail(error))
      } catch (error) {
        exchange.fail(error as Error)
      }
    },
    refused(error, client) {
      const requestId = randomUUID()
      shared.onAnswered?.({ ...unreadRequest, requestId, status: error.status, code: error.code, client })
      return requestId
    },
    async peekWindow(peer, forwardedFor) {
      const subject = addressSubject(parts, peer, forwardedFor)
      const decision = await parts.counters.peek(subject).catch(() => null)
      return decision && decision.outcome !== 'unknown_key' ? decision.window : null
    },
  }
}

type AddressSubject = Extract<Subject, { kind: 'address' }>

function addressSubject(
  { clientAddresses, publicPerMinute }: Parts,
  peer: string | undefined,
  forwardedFor: string | undefined,
): AddressSubject {
  return { kind: 'address', address: clientAddresses.of(peer, forwardedFor), perMinute: publicPerMinute }
}

type ReleaseHandler = Extract<Handler, { from: 'release' }>

interface Shared extends Parts {
  router: Router
  authenticator: Authenticator
  health: StoreHealth
  originLog: OriginLog
}

/**
 * One request and its answer, in the order of checks of contract 1.1: route → method → key → minute
 * window → parameters → period quota → look-up.
 *
 * A look-up whose answer is in memory goes through without a turn of its own but the one in which
 * its count commits: `async` functions on that way would cost as much as the metering.
 */
class Exchange {
  readonly #shared: Shared
  readonly #req: IncomingMessage
  readonly #to: Recipient
  /** The window to be shown, once it is known. */
  #window: WindowState | null = null
  /** For the log. */
  #operation: Operation | null = null
  /** What is to be given back should the answer fail. */
  #receipt: Receipt | null = null
  #subject: Subject | null = null
  #account: string | null = null
  #code: ErrorCode | null = null
  #originFault: OriginReason | null = null

  constructor(shared: Shared, req: IncomingMessage, res: ServerResponse) {
    this.#shared = shared
    this.#req = req
    const head = readHead(req.rawHeaders)
    const requestId = shared.requestIds.of(req.socket.remoteAddress, head.requestId)
    this.#to = { method: req.method!, head, res, requestId, sentBytes: 0 }
  }

  /** Tells what came of the request once its answer has gone out or its client has gone away. */
  tellWhenAnswered(tell: OnAnswered): void {
    const { requestId, method, res } = this.#to
    const startMs = performance.now()
    res.on('close', () => {
      const key = this.#subject?.kind === 'key' ? this.#subject.digest : undefined
      tell({
        requestId,
        method,
        operation: this.#operation?.id ?? null,
        status: res.writableFinished ? res.statusCode : clientGone,
        code: this.#code,
        originFault: this.#originFault,
        durationMs: performance.now() - startMs,
        // Of a page of the site only its head tells.
        sizeBytes:
          this.#to.sentBytes || (method === 'HEAD' ? 0 : Number(res.getHeader('content-length') ?? 0)),
        account: this.#account,
        keyId: key === undefined ? null : (this.#shared.counters.keyIdOf(key) ?? null),
        client: this.#address().address,
      })
    })
  }

  run(): void | Promise<void> {
    const url = this.#req.url!
    const { method, head } = this.#to
    const fault =
      sizeFault(method, url, head) ?? (this.#req.httpVersion === '1.1' && head.hosts !== 1 ? noHost : null)
    if (fault) return this.#refuse(fault)
    const route = this.#shared.router.route(url)
    if (!route) return this.#answerOutside(splitTarget(url).path)
    if (method === 'OPTIONS') return this.#preflight()
    if (method !== 'GET' && method !== 'HEAD') return this.#refuse(methodNotAllowed(method))
    const { operation } = route.match
    this.#operation = operation
    if (operation.access === 'public') return this.#answerPublic(route)
    const subject = this.#shared.authenticator.subject(head.authorization)
    return subject ? this.#answerKeyed(route, subject) : this.#refuseKey()
  }

  /**
   * Answers an exception. Where even that fails, the connection is closed: nothing may end the
   * process.
   */
  fail(error: Error): void {
    this.#answerFault(error).catch((fault: Error) => {
      this.#shared.log.error({ err: fault }, 'a fault could not be answered')
      this.#to.res.destroy()
    })
  }

  /**
   * A store or an origin that is out of reach, else a fault of ours. What was taken is given back.
   */
  async #answerFault(error: Error): Promise<void> {
    const { log, counters } = this.#shared
    this.#logFault(error)
    if (this.#to.res.headersSent) return void this.#to.res.destroy()
    if (this.#receipt) {
      await counters
        .giveBack(this.#receipt)
        .catch((fault: Error) => log.error({ err: fault }, 'a unit was not given back'))
    }
    await this.#send(answerTo(error))
  }

  #logFault(error: Error): void {
    const { health, originLog, log } = this.#shared
    const { requestId, method } = this.#to
    const operation = this.#operation?.id
    if (error instanceof StoreUnavailable) return health.failed(error)
    if (error instanceof OriginFault) {
      this.#originFault = error.reason
      return originLog.failed(error, { operation, requestId })
    }
    if (error instanceof SiteFault) return log.error({ requestId }, error.message)
    log.error({ err: error, method, operation, requestId }, 'a request failed')
  }

  #answerKeyed(route: Route, subject: Subject): Promise<void> {
    this.#subject = subject
    const handler: Handler = this.#shared.handlers[route.match.operation.id]
    if (handler.from !== 'release') return this.#answerFromQuota(route, subject)
    // Reading the parameters spends nothing, so they are read first, and what they lack is told in
    // its turn.
    const ready = this.#prepare(route, handler)
    const units = isError(ready) ? 0 : 1
    return this.#shared.counters
      .consume(subject, units)
      .then((decision) => this.#answerLookUp(decision, ready, route.match.operation))
  }

  #prepare({ parameters }: Route, handler: ReleaseHandler): ErrorAnswer | LookUp {
    const { release, cursors } = this.#shared
    if ('error' in parameters) return parameters.error
    return release.current
      ? handler.prepare(parameters.values, { release: release.current, cursors })
      : noRelease
  }

  #answerLookUp(decision: Decision, ready: ErrorAnswer | LookUp, operation: Operation): void | Promise<void> {
    this.#shared.health.answered()
    if (decision.outcome === 'unknown_key') return this.#refuseKey()
    this.#window = decision.window
    this.#account = decision.quota?.account ?? null
    if (decision.outcome === 'rate_limited') return this.#send(rateLimited(decision.retryAfterS))
    if (isError(ready)) return this.#send(ready)
    if (decision.outcome === 'quota_exceeded') return this.#send(quotaExceeded(decision))
    this.#receipt = decision.receipt
    const result = ready()
    return result instanceof Promise
      ? result.then((found) => this.#sendResult(found, operation))
      : this.#sendResult(result, operation)
  }

  async #answerFromQuota({ match: { operation }, parameters }: Route, subject: Subject): Promise<void> {
    const handler: Handler = this.#shared.handlers[operation.id]
    const decision = await this.#shared.counters.peek(subject)
    if (decision.outcome === 'unknown_key') return await this.#refuseKey()
    this.#window = decision.window
    this.#account = decision.quota?.account ?? null
    if ('error' in parameters) return await this.#send(parameters.error)
    if (handler.from === 'quota') await this.#sendResult(handler.answer(decision.quota!), operation)
  }

  async #answerPublic({ match: { operation }, parameters }: Route): Promise<void> {
    const { release, cursors, handlers } = this.#shared
    const decision = await this.#spendAddressWindow()
    if (decision?.outcome === 'rate_limited') return await this.#send(rateLimited(decision.retryAfterS))
    if ('error' in parameters) return await this.#send(parameters.error)
    const handler: Handler = handlers[operation.id]
    if (handler.from === 'itself') return await this.#sendResult(handler.answer(), operation)
    if (handler.from !== 'release' || !release.current) return await this.#send(noRelease)
    const ready = handler.prepare(parameters.values, { release: release.current, cursors })
    await this.#sendResult(isError(ready) ? ready : await ready(), operation)
  }

  /**
   * What is no operation: a page of the site, else unknown. Pages need no key and are not counted.
   */
  #answerOutside(path: string): void | Promise<void> {
    const site = this.#shared.site.current
    const { method } = this.#to
    const isApi = path === basePath || path.startsWith(`${basePath}/`)
    if (!isApi && this.#shared.siteProxy) return this.#forward(path, this.#shared.siteProxy)
    if (isApi || !site) return this.#refuse(unknownPath(path))
    if (path === signUpPath) return this.#answerSignUp(site)
    if (method === 'POST' && `${path}/` === signUpPath) return redirect(this.#to, signUpPath)
    const isPage = findFile(site, path) !== undefined
    if (method === 'OPTIONS' && isPage) return this.#preflight()
    if (method !== 'GET' && method !== 'HEAD')
      return this.#refuse(isPage ? methodNotAllowed(method) : unknownPath(path))
    return this.#answerPage(site, path, this.#req.headers.accept)
  }

  /**
   * The site is another server's; what its sign-up form posts is taken here, where accounts are
   * made.
   */
  #forward(path: string, siteProxy: SiteProxy): void | Promise<void> {
    const { site, makeAccount } = this.#shared
    const isForm = path === signUpPath && this.#to.method === 'POST'
    if (isForm && makeAccount && site.current) return this.#answerSignUp(site.current)
    const { requestId, res } = this.#to
    res.setHeader(requestIdName, requestId)
    return siteProxy.forward(this.#req, res, { address: this.#address().address, requestId })
  }

  #answerPage(site: Site, path: string, accept: string | undefined): void | Promise<void> {
    const answered = answerFromSite(this.#to, site, path, accept)
    return answered === false ? this.#refuse(unknownPath(path)) : answered
  }

  /**
   * The form is a file of the site. Where no sign-up is offered, a page that says so takes its
   * place.
   */
  #answerSignUp(site: Site): void | Promise<void> {
    const { makeAccount } = this.#shared
    const { method } = this.#to
    if (method === 'GET' || method === 'HEAD')
      return this.#answerPage(site, makeAccount ? signUpPath : `${signUpPath}closed/`, 'text/html')
    const allow = makeAccount ? formMethods : allowedMethods
    if (method === 'OPTIONS') return this.#preflight(allow)
    if (method !== 'POST' || !makeAccount) return this.#refuse(methodNotAllowed(method, allow))
    return this.#takeForm(site, makeAccount).then((answer) =>
      sendFormAnswer(this.#to, site, answer, this.#window),
    )
  }

  /** A form spends a place in the window of its address, whatever comes of it. */
  async #takeForm(site: Site, makeAccount: MakeAccount): Promise<FormAnswer> {
    const { counters, health } = this.#shared
    const subject = this.#address()
    try {
      const decision = this.#takeWindow(await counters.consume(subject, 0))
      if (decision.outcome === 'rate_limited') return refuseTooMany(site, decision.retryAfterS)
      return await takeSignUp(this.#req, { site, makeAccount, address: subject.address })
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      health.failed(error)
      return refuseUnavailable(site)
    }
  }

  async #preflight(allow = allowedMethods): Promise<void> {
    sendPreflight(this.#to, await this.#showAddressWindow(), allow)
  }

  /** 401 whatever is left of the address's window, which it spends. */
  #refuseKey(): Promise<void> {
    return this.#spendAddressWindow().then(() => this.#send(invalidKey))
  }

  /** An error that shows the address's window and spends nothing. */
  async #refuse(error: ErrorAnswer): Promise<void> {
    this.#window = await this.#showAddressWindow()
    await this.#send(error)
  }

  #spendAddressWindow(): Promise<Decision | null> {
    return this.#shared.counters
      .consume(this.#address(), 0)
      .then((decision) => this.#takeWindow(decision), ifUnreachable)
  }

  #showAddressWindow(): Promise<WindowState | null> {
    return this.#shared.counters
      .peek(this.#address())
      .then((decision) => this.#takeWindow(decision), ifUnreachable)
      .then(() => this.#window)
  }

  #takeWindow(decision: Decision): Decision {
    if (decision.outcome !== 'unknown_key') this.#window = decision.window
    return decision
  }

  #address(): AddressSubject {
    return addressSubject(this.#shared, this.#req.socket.remoteAddress, this.#to.head.forwardedFor)
  }

  #sendResult(result: Answer | ErrorAnswer, operation: Operation): void | Promise<void> {
    return isError(result) ? this.#send(result) : sendAnswer(this.#to, result, operation.cache, this.#window)
  }

  #send(error: ErrorAnswer): void | Promise<void> {
    this.#code = error.code
    return sendError(this.#to, error, this.#window)
  }
}

/** What needs no key is answered without counters too; its window is then not known. */
function ifUnreachable(error: Error): null {
  if (error instanceof StoreUnavailable) return null
  throw error
}

function answerTo(error: Error): ErrorAnswer {
  if (error instanceof StoreUnavailable) return noStore
  if (error instanceof SiteFault) return noSite
  return error instanceof OriginFault || error instanceof DamagedFile ? noOrigin : internal
}
