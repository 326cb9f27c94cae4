import type { ErrorAnswer } from '#contract/errors.ts'
import type { Decision, KeySubject, QuotaState } from '#metering/store.ts'
import { refuseKey, spendAddressWindow } from './address-window.ts'
import { Body } from './body.ts'
import type { Dependencies } from './dependencies.ts'
import type { Exchange } from './exchange.ts'
import { isError, type Context, type Handler } from './handler.ts'
import type { Match } from './match.ts'
import { readParameters } from './read-parameters.ts'
import { noRelease, quotaExceeded, rateLimited } from './refusals.ts'
import { sendAnswer, sendError } from './respond.ts'

/** A request for an operation. */
export interface Call {
  url: string
  match: Match
  query: string
  /** The answer, if it is cached. */
  cached: Body | undefined
}

/** A call whose parameters are right. */
interface Prepared {
  handler: Handler<unknown>
  asked: unknown
  context: Context
}

/**
 * Answers an operation that needs a key.
 *
 * A look-up whose answer is in memory takes no turn of the event loop but the one in which its
 * count commits. `async` functions would cost it as much as the metering.
 */
export function answerKeyed(
  exchange: Exchange,
  call: Call,
  key: KeySubject,
  dependencies: Dependencies,
): Promise<void> {
  exchange.key = key
  if (call.match.operation.metered === 'nothing') return answerUnmetered(exchange, call, key, dependencies)
  // Reading the parameters spends nothing, so it comes first; their error is sent in its turn.
  const prepared = prepare(exchange, call, dependencies)
  return dependencies.counters.consume(key, isError(prepared) ? 0 : 1).then((decision) => {
    dependencies.storeHealth.answered()
    return decision.outcome === 'unknown_key'
      ? refuseKey(exchange, dependencies)
      : answerDecided(exchange, decision, call, prepared, dependencies)
  })
}

function answerDecided(
  exchange: Exchange,
  decision: Exclude<Decision, { outcome: 'unknown_key' }>,
  call: Call,
  prepared: ErrorAnswer | Body | Prepared,
  dependencies: Dependencies,
): void | Promise<void> {
  exchange.note(decision)
  if (decision.outcome === 'rate_limited') return sendError(exchange, rateLimited(decision.retryAfterS))
  if (isError(prepared)) return sendError(exchange, prepared)
  if (decision.outcome === 'quota_exceeded') return sendError(exchange, quotaExceeded(decision))
  exchange.receipt = decision.receipt
  return answerPrepared(exchange, call, prepared, dependencies)
}

async function answerUnmetered(
  exchange: Exchange,
  call: Call,
  key: KeySubject,
  dependencies: Dependencies,
): Promise<void> {
  const decision = await dependencies.counters.peek(key)
  if (decision.outcome === 'unknown_key') return await refuseKey(exchange, dependencies)
  exchange.note(decision)
  await answerPrepared(exchange, call, prepare(exchange, call, dependencies, decision.quota), dependencies)
}

/** Answers an operation that needs no key. */
export async function answerPublic(
  exchange: Exchange,
  call: Call,
  dependencies: Dependencies,
): Promise<void> {
  const decision = await spendAddressWindow(exchange, dependencies)
  if (decision?.outcome === 'rate_limited')
    return await sendError(exchange, rateLimited(decision.retryAfterS))
  await answerPrepared(exchange, call, prepare(exchange, call, dependencies), dependencies)
}

/** Checks everything that the answer needs. Spends nothing. */
function prepare(
  client: Exchange,
  { match, query, cached }: Call,
  { handlers, release: { current }, cursors, files }: Dependencies,
  quota: QuotaState | null = null,
): ErrorAnswer | Body | Prepared {
  if (cached) return cached
  const parameters = readParameters(match, query)
  if ('error' in parameters) return parameters.error
  const handler = handlers[match.operation.id] as Handler<unknown>
  if (!current && !handler.needsNoRelease) return noRelease
  const context: Context = { release: current!, cursors, files, siteUrl: client.siteUrl, quota, client }
  const asked = handler.read ? handler.read(parameters.values, context) : parameters.values
  return isError(asked as object) ? (asked as ErrorAnswer) : { handler, asked, context }
}

function answerPrepared(
  exchange: Exchange,
  call: Call,
  prepared: ErrorAnswer | Body | Prepared,
  dependencies: Dependencies,
): void | Promise<void> {
  if (isError(prepared)) return sendError(exchange, prepared)
  const { answers } = dependencies
  const { match, url } = call
  const { cache } = match.operation
  if (prepared instanceof Body) {
    answers.hit()
    return sendAnswer(exchange, prepared, cache)
  }
  const { handler, asked, context } = prepared
  const finish = (found: Body | ErrorAnswer) => {
    if (isError(found)) return sendError(exchange, found)
    if (handler.isRepeatable?.(asked) ?? true) answers.add(context.release, { url, match, body: found })
    return sendAnswer(exchange, found, cache)
  }
  const found = handler.answer(asked, context)
  return found instanceof Promise ? found.then(finish) : finish(found)
}
