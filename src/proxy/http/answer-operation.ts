import type { ErrorAnswer } from '#contract/errors.ts'
import type { Operation } from '#contract/operations.ts'
import type { Decision, KeySubject } from '#metering/store.ts'
import { refuseKey, spendAddressWindow } from './address-window.ts'
import type { Dependencies } from './dependencies.ts'
import type { Exchange } from './exchange.ts'
import { isError, type Handler, type LookUp } from './handler.ts'
import { noRelease, quotaExceeded, rateLimited } from './refusals.ts'
import { sendAnswer, sendError } from './respond.ts'
import type { Route } from './router.ts'

type QuotaHandler = Extract<Handler, { from: 'quota' }>

/**
 * Answers an operation that needs a key.
 *
 * A look-up whose answer is in memory takes no turn of the event loop but the one in which its
 * count commits. `async` functions would cost it as much as the metering.
 */
export function answerKeyed(
  exchange: Exchange,
  route: Route,
  key: KeySubject,
  dependencies: Dependencies,
): Promise<void> {
  exchange.key = key
  const { operation } = route.match
  const handler: Handler = dependencies.handlers[operation.id]
  if (handler.from === 'quota') return answerFromQuota(exchange, route, handler, key, dependencies)
  // Reading the parameters spends nothing, so it comes first; their error is sent in its turn.
  const prepared = prepare(exchange, route, handler, dependencies)
  return dependencies.counters.consume(key, isError(prepared) ? 0 : 1).then((decision) => {
    dependencies.storeHealth.answered()
    return decision.outcome === 'unknown_key'
      ? refuseKey(exchange, dependencies)
      : answerLookUp(exchange, decision, prepared, operation)
  })
}

function answerLookUp(
  exchange: Exchange,
  decision: Exclude<Decision, { outcome: 'unknown_key' }>,
  prepared: ErrorAnswer | LookUp,
  operation: Operation,
): void | Promise<void> {
  exchange.note(decision)
  if (decision.outcome === 'rate_limited') return sendError(exchange, rateLimited(decision.retryAfterS))
  if (isError(prepared)) return sendError(exchange, prepared)
  if (decision.outcome === 'quota_exceeded') return sendError(exchange, quotaExceeded(decision))
  exchange.receipt = decision.receipt
  return sendResult(exchange, prepared(), operation)
}

async function answerFromQuota(
  exchange: Exchange,
  { match: { operation }, parameters }: Route,
  handler: QuotaHandler,
  key: KeySubject,
  dependencies: Dependencies,
): Promise<void> {
  const decision = await dependencies.counters.peek(key)
  if (decision.outcome === 'unknown_key') return await refuseKey(exchange, dependencies)
  exchange.note(decision)
  const result = 'error' in parameters ? parameters.error : handler.answer(decision.quota!)
  await sendResult(exchange, result, operation)
}

/** Answers an operation that needs no key. */
export async function answerPublic(
  exchange: Exchange,
  route: Route,
  dependencies: Dependencies,
): Promise<void> {
  const { operation } = route.match
  const handler: Handler = dependencies.handlers[operation.id]
  const decision = await spendAddressWindow(exchange, dependencies)
  if (decision?.outcome === 'rate_limited')
    return await sendError(exchange, rateLimited(decision.retryAfterS))
  const prepared = prepare(exchange, route, handler, dependencies)
  await sendResult(exchange, isError(prepared) ? prepared : prepared(), operation)
}

/** Checks everything that the answer needs. Spends nothing. */
function prepare(
  client: Exchange,
  { parameters }: Route,
  handler: Handler,
  { release, cursors }: Dependencies,
): ErrorAnswer | LookUp {
  if ('error' in parameters) return parameters.error
  if (handler.from === 'itself') return handler.answer
  if (handler.from === 'quota') throw new Error('only an operation with a key has a quota')
  return release.current
    ? handler.prepare(parameters.values, { release: release.current, cursors, client })
    : noRelease
}

function sendResult(
  exchange: Exchange,
  result: ReturnType<LookUp>,
  operation: Operation,
): void | Promise<void> {
  if (result instanceof Promise) return result.then((found) => sendResult(exchange, found, operation))
  return isError(result) ? sendError(exchange, result) : sendAnswer(exchange, result, operation.cache)
}
