import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { notFound, type ErrorAnswer } from '#contract/errors.ts'
import type { Operation } from '#contract/operations.ts'
import { quoteValue } from '#contract/parameters.ts'
import {
  StoreUnavailable,
  type Decision,
  type MeterStore,
  type Receipt,
  type Subject,
  type WindowState,
} from '#metering/store.ts'
import { authenticate } from './authenticate.ts'
import { clientAddress, type TrustedProxies } from './client-address.ts'
import type { Cursors } from './cursor.ts'
import { isError, type Answer, type Handlers, type Prepare } from './handler.ts'
import type { LiveRelease } from './live-release.ts'
import { matchPath, type Match } from './match.ts'
import { readParameters } from './read-parameters.ts'
import { splitTarget } from './request-target.ts'
import { allowedMethods, sendAnswer, sendError, sendPreflight } from './respond.ts'
import { sizeFault } from './size-limits.ts'

/** What the proxy works with. */
export interface Parts {
  store: MeterStore
  cursors: Cursors
  live: LiveRelease
  handlers: Handlers
  trustedProxies: TrustedProxies
  /** Requests a minute that a client address may make without a key. */
  publicPerMinute: number
  log: { error(context: object, message: string): void }
}

const unavailable = (message: string): ErrorAnswer => ({ status: 503, code: 'unavailable', message })
const noRelease = unavailable('no release of the corpus is loaded: try again later')
const noStore = unavailable(
  'the counters cannot be reached, and what cannot be metered is not served: try again later',
)
const internal: ErrorAnswer = {
  status: 500,
  code: 'internal',
  message: 'a fault of ours; the request was not counted',
}
const invalidKey: ErrorAnswer = {
  status: 401,
  code: 'invalid_key',
  message:
    'send a key in force as "Authorization: Bearer <API_KEY>": it is missing, malformed, unknown or disabled',
}
const noHost: ErrorAnswer = {
  status: 400,
  code: 'bad_request',
  message: 'an HTTP/1.1 request must have one Host header',
}

/** Makes the function that answers every request. It never rejects. */
export function createHandler(parts: Parts): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async (req, res) => {
    const exchange = new Exchange(parts, req, res)
    try {
      await exchange.run()
    } catch (error) {
      await exchange.fail(error as Error)
    }
  }
}

/** One request and its answer. */
class Exchange {
  readonly #parts: Parts
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  /** The window to be shown, once it is known. */
  #window: WindowState | null = null
  /** What is to be given back should the answer fail. */
  #receipt: Receipt | null = null

  constructor(parts: Parts, req: IncomingMessage, res: ServerResponse) {
    this.#parts = parts
    this.#req = req
    this.#res = res
  }

  /** The checks that need no key: route, method; then by what the operation takes (contract 1.1). */
  async run(): Promise<void> {
    const { method, url } = this.#req
    const fault = sizeFault(this.#req) ?? hostFault(this.#req)
    if (fault) return await this.#refuse(fault)
    const { path, query } = splitTarget(url!)
    const match = matchPath(path)
    if (!match)
      return await this.#refuse(
        notFound(`there is nothing at ${quoteValue(path)}: GET /v1/openapi.json lists the paths`),
      )
    if (method === 'OPTIONS')
      return sendPreflight(this.#res, (this.#window = await this.#showAddressWindow()))
    if (method !== 'GET' && method !== 'HEAD')
      return await this.#refuse(methodNotAllowed(method!), { Allow: allowedMethods })
    if (match.operation.access === 'public') return await this.#answerPublic(match.operation)
    await this.#answerKeyed(match, query)
  }

  /** Answers an exception: a store that is out of reach, else a fault of ours. What was taken is given back. */
  async fail(error: Error): Promise<void> {
    const { log, store } = this.#parts
    const isStore = error instanceof StoreUnavailable
    log.error(
      { err: error, method: this.#req.method },
      isStore ? 'the store is unavailable' : 'a request failed',
    )
    if (this.#res.headersSent) return void this.#res.destroy()
    if (this.#receipt)
      await store
        .giveBack(this.#receipt)
        .catch((fault) => log.error({ err: fault }, 'a unit was not given back'))
    await sendError(this.#req, this.#res, isStore ? noStore : internal, this.#window)
  }

  async #answerPublic(operation: Operation): Promise<void> {
    const { live, cursors, handlers } = this.#parts
    const decision = await this.#spendAddressWindow()
    if (decision?.outcome === 'rate_limited') return await this.#send(rateLimited(decision.retryAfterS))
    const handler = handlers[operation.id]
    if (handler.from === 'itself') return await this.#sendAnswer(handler.answer(), operation)
    if (handler.from !== 'release' || !live.current) return await this.#send(noRelease)
    const ready = handler.prepare({}, { release: live.current, cursors })
    const result = isError(ready) ? ready : await ready()
    await (isError(result) ? this.#send(result) : this.#sendAnswer(result, operation))
  }

  async #answerKeyed(match: Match, query: string): Promise<void> {
    const digest = authenticate(this.#req.headers.authorization)
    if (!digest) return await this.#refuseKey()
    const subject: Subject = { kind: 'key', digest }
    const handler = this.#parts.handlers[match.operation.id]
    if (handler.from === 'release') return await this.#answerLookup(match, query, subject, handler.prepare)
    const decision = await this.#parts.store.peek(subject)
    if (decision.outcome === 'unknown_key') return await this.#refuseKey()
    this.#window = decision.window
    if (handler.from === 'quota') await this.#sendAnswer(handler.answer(decision.quota!), match.operation)
  }

  /** Minute window → parameters → period quota → look-up. The parameters are read first, for that spends nothing; what they lack is told in its turn. */
  async #answerLookup(match: Match, query: string, subject: Subject, prepare: Prepare): Promise<void> {
    const ready = this.#prepare(match, query, prepare)
    const decision = await this.#parts.store.consume(subject, isError(ready) ? 0 : 1)
    if (decision.outcome === 'unknown_key') return await this.#refuseKey()
    this.#window = decision.window
    if (decision.outcome === 'rate_limited') return await this.#send(rateLimited(decision.retryAfterS))
    if (isError(ready)) return await this.#send(ready)
    if (decision.outcome === 'quota_exceeded') return await this.#send(quotaExceeded(decision))
    this.#receipt = decision.receipt
    const result = await ready()
    await (isError(result) ? this.#send(result) : this.#sendAnswer(result, match.operation))
  }

  #prepare(match: Match, query: string, prepare: Prepare): ReturnType<Prepare> {
    const { live, cursors } = this.#parts
    const parameters = readParameters(match, query)
    if ('error' in parameters) return parameters.error
    return live.current ? prepare(parameters.values, { release: live.current, cursors }) : noRelease
  }

  /** 401 whatever is left of the address's window, which it spends. */
  async #refuseKey(): Promise<void> {
    await this.#spendAddressWindow()
    await this.#send(invalidKey, { 'WWW-Authenticate': 'Bearer' })
  }

  /** An error that shows the address's window and spends nothing. */
  async #refuse(error: ErrorAnswer, extra: OutgoingHttpHeaders = {}): Promise<void> {
    this.#window = await this.#showAddressWindow()
    await this.#send(error, extra)
  }

  async #spendAddressWindow(): Promise<Decision | null> {
    const decision = await this.#reachable(this.#parts.store.consume(this.#address(), 0))
    this.#window = decision && decision.outcome !== 'unknown_key' ? decision.window : null
    return decision
  }

  async #showAddressWindow(): Promise<WindowState | null> {
    const decision = await this.#reachable(this.#parts.store.peek(this.#address()))
    return decision && decision.outcome !== 'unknown_key' ? decision.window : null
  }

  /** What needs no key is answered without counters too; its window is then not known. */
  async #reachable(decision: Promise<Decision>): Promise<Decision | null> {
    try {
      return await decision
    } catch (error) {
      if (error instanceof StoreUnavailable) return null
      throw error
    }
  }

  #address(): Subject {
    const forwardedFor = this.#req.headers['x-forwarded-for'] as string | undefined
    const { trustedProxies, publicPerMinute } = this.#parts
    return {
      kind: 'address',
      address: clientAddress(this.#req.socket.remoteAddress, forwardedFor, trustedProxies),
      perMinute: publicPerMinute,
    }
  }

  async #send(error: ErrorAnswer, extra: OutgoingHttpHeaders = {}): Promise<void> {
    await sendError(this.#req, this.#res, error, this.#window, extra)
  }

  async #sendAnswer(answer: Answer, operation: Operation): Promise<void> {
    await sendAnswer(this.#req, this.#res, answer, operation.cache, this.#window)
  }
}

function hostFault(req: IncomingMessage): ErrorAnswer | null {
  if (req.httpVersion !== '1.1') return null
  const hosts = req.rawHeaders.filter((part, i) => i % 2 === 0 && part.toLowerCase() === 'host')
  return hosts.length === 1 ? null : noHost
}

function methodNotAllowed(method: string): ErrorAnswer {
  return {
    status: 405,
    code: 'method_not_allowed',
    message: `${method} is not allowed here: use ${allowedMethods}`,
  }
}

function rateLimited(retryAfterS: number): ErrorAnswer {
  return {
    status: 429,
    code: 'rate_limited',
    message: `the minute window is spent: wait ${retryAfterS} s and repeat the request`,
    retryAfterS,
  }
}

function quotaExceeded({
  quota,
  retryAfterS,
}: Extract<Decision, { outcome: 'quota_exceeded' }>): ErrorAnswer {
  const until = new Date(quota.periodEndMs).toISOString()
  return {
    status: 429,
    code: 'quota_exceeded',
    message: `the ${quota.limit} requests of the ${quota.plan} plan are spent until ${until}: change the plan or stop until then`,
    retryAfterS,
  }
}
