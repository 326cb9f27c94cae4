import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorAnswer } from '#contract/errors.ts'
import { isKey, keyDigest } from '#metering/key.ts'
import type { KeySubject } from '#metering/store.ts'
import { TreeFault } from '#release/tree.ts'
import { answerPreflight, refuse, refuseKey } from './address-window.ts'
import { answerKeyed, answerPublic } from './answer-operation.ts'
import { Exchange, type Dependencies } from './exchange.ts'
import { matchPath, splitTarget } from './match.ts'
import {
  headersTooLarge,
  maxHeadersBytes,
  maxRequestLineBytes,
  methodNotAllowed,
  noHost,
  requestLineTooLong,
  unknownCoding,
} from './refusals.ts'
import { sendError } from './send.ts'

/**
 * Answers a request. An exception is answered, too; it never throws.
 *
 * @param fault the error for a request that could not be read
 */
export function handle(
  req: IncomingMessage,
  res: ServerResponse,
  dependencies: Dependencies,
  fault?: ErrorAnswer,
): void {
  const exchange = new Exchange(req, res, dependencies)
  const { onAnswered } = dependencies
  // No upgrade is accepted, and Node drops what follows an upgrade request in the same packet: the
  // client learns from the end of the connection that it must send those requests again.
  if (exchange.headers.upgrade !== undefined) res.shouldKeepAlive = false
  if (onAnswered) res.on('close', () => onAnswered(exchange))
  const end = () => exchange.end()
  const fail = (error: Error) => {
    end()
    void answerFault(exchange, error)
  }
  try {
    const result = fault ? sendError(exchange, fault) : route(exchange)
    if (result) void result.then(end, fail)
    else end()
  } catch (error) {
    fail(error as Error)
  }
}

/**
 * Logs an exception, gives the unit back, and sends an error. If even that fails, closes the
 * connection, because nothing may end the process.
 */
async function answerFault(exchange: Exchange, error: Error): Promise<void> {
  const { res, receipt, dependencies } = exchange
  const { counters, faultLog } = dependencies
  try {
    if (error instanceof TreeFault) exchange.treeFault = error.reason
    const answer = faultLog.requestFailed(error, exchange)
    if (res.headersSent) return void res.destroy()
    const givenBack = receipt ? counters.giveBack(receipt) : null
    await givenBack?.catch((fault: Error) => faultLog.error({ err: fault }, 'cannot refund a unit'))
    await sendError(exchange, answer)
  } catch (fault) {
    faultLog.error({ err: fault }, 'cannot send an error response')
    res.destroy()
  }
}

/**
 * Checks and answers a request in the order of contract 1.1: route, method, key, window,
 * parameters, quota, look-up.
 */
function route(exchange: Exchange): void | Promise<void> {
  const { method, headers, dependencies } = exchange
  const { answers, counters } = dependencies
  const fault = headFault(exchange)
  if (fault) {
    // The end of its body, if it has one, may be unclear.
    exchange.res.shouldKeepAlive = false
    return refuse(exchange, fault)
  }
  const url = exchange.req.url!
  const { path, query } = splitTarget(url)
  const cacheEntry = answers.get(exchange.release, url)
  const match = cacheEntry?.match ?? matchPath(path)
  if (!match) return dependencies.answerOutsideApi(exchange, path)
  if (method === 'OPTIONS') return answerPreflight(exchange)
  if (method !== 'GET' && method !== 'HEAD') return refuse(exchange, methodNotAllowed(method))
  exchange.operation = match.operation
  const call = { url, match, query, cachedBody: cacheEntry?.body }
  if (match.operation.access === 'public') return answerPublic(exchange, call)
  const isKnown = (digest: string) => counters.keyIdOf(digest) !== undefined
  const key = readKey(headers.authorization, isKnown)
  if (!key) return refuseKey(exchange)
  if (isKnown(key.digest)) return answerKeyed(exchange, call, key)
  // A key that is new to this process may be invalid. Then its parameters are not worth reading.
  return counters
    .peek(key)
    .then(({ outcome }) =>
      outcome === 'unknown_key' ? refuseKey(exchange) : answerKeyed(exchange, call, key),
    )
}

/** Returns the fault in the head of a request, or null. */
function headFault({ req, method, headers }: Exchange): ErrorAnswer | null {
  const lineBytes = method.length + ' '.length + req.url!.length + ' HTTP/1.1'.length
  if (lineBytes > maxRequestLineBytes) return requestLineTooLong
  if (headers.sizeBytes > maxHeadersBytes) return headersTooLarge
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return unknownCoding
  const isHostWrong = headers.host === undefined || headers.host.includes(',')
  return req.httpVersion === '1.1' && isHostWrong ? noHost : null
}

/**
 * Returns the key that a request carries as a bearer credential (RFC 6750 section 2.1); null
 * without one, or if it does not have the form of a key. Only the store knows whether the key is
 * valid; the checksum saves it from looking up invented keys.
 *
 * Nothing is cached here: a digest takes a microsecond, and cached keys end up in core dumps.
 *
 * @param isKnown whether the key with this digest was recently valid
 */
function readKey(authorization: string | undefined, isKnown: (digest: string) => boolean): KeySubject | null {
  const key = authorization && /^bearer +(\w{42}) *$/i.exec(authorization)?.[1]
  if (!key) return null
  const digest = keyDigest(key)
  return isKnown(digest) || isKey(key) ? { kind: 'key', digest } : null
}
