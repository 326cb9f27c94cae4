import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorAnswer } from '#contract/errors.ts'
import type { WindowState } from '#metering/store.ts'
import { addressSubject, refuse, refuseKey, showAddressWindow, subjectOf } from './address-window.ts'
import { answerFault } from './answer-fault.ts'
import { answerKeyed, answerPublic } from './answer-operation.ts'
import { readKey } from './authenticate.ts'
import { answeredRequest, unreadRequest } from './answered-request.ts'
import type { Dependencies } from './dependencies.ts'
import { Exchange } from './exchange.ts'
import { matchPath } from './match.ts'
import { methodNotAllowed, noHost } from './refusals.ts'
import { splitTarget } from './request-target.ts'
import { sendPreflight } from './respond.ts'
import { sizeFault } from './size-limits.ts'

/** Answers every request of a server. */
export class RequestHandler {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Answers a request. An exception is answered, too; it never throws. */
  handle(req: IncomingMessage, res: ServerResponse): void {
    const exchange = new Exchange(req, res, this.#dependencies)
    this.#reportWhenClosed(exchange)
    try {
      route(exchange, this.#dependencies)?.catch((error: Error) => this.#fail(exchange, error))
    } catch (error) {
      this.#fail(exchange, error as Error)
    }
  }

  /** Reports bytes that are not a request. Returns the id for the answer. */
  refused({ status, code }: ErrorAnswer, client: string): string {
    const requestId = randomUUID()
    this.#dependencies.onAnswered?.(unreadRequest({ requestId, status, code, client }))
    return requestId
  }

  /** The public address of the site; null without one. */
  get siteUrl(): string | null {
    return this.#dependencies.siteUrl()
  }

  /** The window of a client whose bytes are not a request; null if it is unknown. */
  async peekWindow(peer: string | undefined, forwardedFor: string | undefined): Promise<WindowState | null> {
    const subject = addressSubject(this.#dependencies, peer, forwardedFor)
    const decision = await this.#dependencies.counters.peek(subject).catch(() => null)
    return decision && decision.outcome !== 'unknown_key' ? decision.window : null
  }

  #reportWhenClosed(exchange: Exchange): void {
    const { onAnswered, counters } = this.#dependencies
    if (!onAnswered) return
    const startMs = performance.now()
    exchange.res.on('close', () => {
      const keyId = exchange.key ? (counters.keyIdOf(exchange.key.digest) ?? null) : null
      const client = subjectOf(exchange, this.#dependencies).address
      onAnswered(answeredRequest(exchange, startMs, { keyId, client }))
    })
  }

  /** If even the fault cannot be answered, closes the connection: nothing may end the process. */
  #fail(exchange: Exchange, error: Error): void {
    answerFault(exchange, error, this.#dependencies).catch((fault: Error) => {
      this.#dependencies.log.error({ err: fault }, 'cannot answer a fault')
      exchange.res.destroy()
    })
  }
}

/**
 * Answers a request in the order of checks of contract 1.1: route → method → key → minute window →
 * parameters → period quota → look-up.
 */
function route(exchange: Exchange, dependencies: Dependencies): void | Promise<void> {
  const { req, method, headers } = exchange
  const url = req.url!
  const fault =
    sizeFault(method, url, headers) ?? (req.httpVersion === '1.1' && headers.hosts !== 1 ? noHost : null)
  if (fault) return refuse(exchange, fault, dependencies)
  const { answers, release, counters } = dependencies
  const { path, query } = splitTarget(url)
  const cached = answers.get(release.current, url)
  const match = cached?.match ?? matchPath(path)
  if (!match) return dependencies.answerOutsideApi(exchange, path)
  if (method === 'OPTIONS')
    return showAddressWindow(exchange, dependencies).then(() => sendPreflight(exchange))
  if (method !== 'GET' && method !== 'HEAD') return refuse(exchange, methodNotAllowed(method), dependencies)
  exchange.operation = match.operation
  const call = { url, match, query, cached: cached?.body }
  if (match.operation.access === 'public') return answerPublic(exchange, call, dependencies)
  const isKnown = (digest: string) => counters.keyIdOf(digest) !== undefined
  const key = readKey(headers.authorization, isKnown)
  if (!key) return refuseKey(exchange, dependencies)
  if (isKnown(key.digest)) return answerKeyed(exchange, call, key, dependencies)
  // A key that is new to this process may be nobody's: then its parameters are not worth reading.
  return counters
    .peek(key)
    .then(({ outcome }) =>
      outcome === 'unknown_key'
        ? refuseKey(exchange, dependencies)
        : answerKeyed(exchange, call, key, dependencies),
    )
}
