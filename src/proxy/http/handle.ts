import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuse, refuseKey, showAddressWindow, subjectOf } from './address-window.ts'
import { answerFault } from './answer-fault.ts'
import { answerKeyed, answerPublic } from './answer-operation.ts'
import { readKey } from './authenticate.ts'
import { answeredRequest } from './answered-request.ts'
import type { Dependencies } from './dependencies.ts'
import { Exchange } from './exchange.ts'
import { matchPath } from './match.ts'
import { methodNotAllowed, noHost } from './refusals.ts'
import { splitTarget } from './request-target.ts'
import { sendPreflight } from './respond.ts'
import { sizeFault } from './size-limits.ts'

/** Answers a request. An exception is answered, too; it never throws. */
export function handle(req: IncomingMessage, res: ServerResponse, dependencies: Dependencies): void {
  const exchange = new Exchange(req, res, dependencies)
  reportWhenClosed(exchange, dependencies)
  try {
    route(exchange, dependencies)?.catch((error: Error) => fail(exchange, error, dependencies))
  } catch (error) {
    fail(exchange, error as Error, dependencies)
  }
}

function reportWhenClosed(exchange: Exchange, dependencies: Dependencies): void {
  const { onAnswered, counters } = dependencies
  if (!onAnswered) return
  const startMs = performance.now()
  exchange.res.on('close', () => {
    const keyId = exchange.key ? (counters.keyIdOf(exchange.key.digest) ?? null) : null
    const client = subjectOf(exchange, dependencies).address
    onAnswered(answeredRequest(exchange, startMs, { keyId, client }))
  })
}

/** If even the fault cannot be answered, closes the connection: nothing may end the process. */
function fail(exchange: Exchange, error: Error, dependencies: Dependencies): void {
  answerFault(exchange, error, dependencies).catch((fault: Error) => {
    dependencies.log.error({ err: fault }, 'cannot answer a fault')
    exchange.res.destroy()
  })
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
