import { isError, type ErrorAnswer } from '#contract/errors.ts'
import type { KnownList } from '#contract/known.ts'
import { defaultLanguage } from '#contract/parameters.ts'
import type { KeySubject } from '#metering/store.ts'
import { askAddressWindow, refuseKey } from './address-window.ts'
import type { Body } from './body.ts'
import { answerKey } from './caches.ts'
import type { Exchange } from './exchange.ts'
import type { Context, Handler } from './handler.ts'
import type { Match } from './match.ts'
import { readParameters } from './read-parameters.ts'
import { Job } from '../turns.ts'
import { noRelease, quotaExceeded, rateLimited } from './refusals.ts'
import { sendAnswer, sendError } from './send.ts'

/** A request for an operation. */
export interface Call {
  url: string
  match: Match
  query: string
  /** The answer, if it is cached. */
  cachedBody: Body | undefined
}

/**
 * Answers an operation that needs a key.
 *
 * A look-up whose answer is in memory takes no turn of the event loop except for the one in which
 * its count commits. `async` functions would cost it as much as the metering.
 */
export function answerKeyed(exchange: Exchange, call: Call, key: KeySubject): Promise<void> {
  exchange.key = key
  const { release } = exchange
  const { counters, mustUnpack } = exchange.dependencies
  const parameters = call.cachedBody ? null : readParameters(call.match, call.query)
  const values = parameters && 'values' in parameters ? parameters.values : {}
  const known = values.known as KnownList | undefined
  if (known) known.keyDigest = key.digest
  const language = (values.language as string | undefined) ?? defaultLanguage
  // Reading other parameters counts nothing, so it comes first; their error is sent in its turn.
  if (!release || !known || !mustUnpack(known, release, language))
    return meter(exchange, call, key, prepare(exchange, call, parameters))
  return counters.peek(key).then((decision) => {
    if (decision.outcome === 'unknown_key') return refuseKey(exchange)
    if (decision.window.remaining > 0) return meter(exchange, call, key, prepare(exchange, call, parameters))
    // If the window ends at this instant, this refusal is sent: then 1 s is enough.
    return meter(exchange, call, key, rateLimited(1))
  })
}

/** Checks the window and the quota, and sends the answer or the error. */
function meter(
  exchange: Exchange,
  call: Call,
  key: KeySubject,
  answer: ReturnType<typeof prepare>,
): Promise<void> {
  const { counters, faultLog } = exchange.dependencies
  const isMetered = call.match.operation.cost !== 'nothing'
  const metering = isMetered ? counters.consume(key, isError(answer) ? 0 : 1) : counters.peek(key)
  return metering.then((decision) => {
    faultLog.storeAnswered()
    if (decision.outcome === 'unknown_key') return refuseKey(exchange)
    exchange.note(decision)
    if (decision.outcome === 'rate_limited') return sendError(exchange, rateLimited(decision.retryAfterS))
    if (isError(answer)) return sendError(exchange, answer)
    if (decision.outcome === 'quota_exceeded')
      return sendError(exchange, quotaExceeded(decision.quota, decision.retryAfterS))
    exchange.receipt = decision.receipt
    return answer()
  })
}

/** Answers an operation that needs no key. */
export function answerPublic(exchange: Exchange, call: Call): Promise<void> {
  return askAddressWindow(exchange, 'consume').then((decision) => {
    if (decision?.outcome === 'rate_limited') return sendError(exchange, rateLimited(decision.retryAfterS))
    const answer = prepare(exchange, call, call.cachedBody ? null : readParameters(call.match, call.query))
    return isError(answer) ? sendError(exchange, answer) : answer()
  })
}

/**
 * Checks everything that the answer needs, and counts nothing. Returns an error, or a function that
 * looks the answer up and sends it.
 *
 * @param parameters null if the answer is cached
 */
function prepare(
  exchange: Exchange,
  { url, match, cachedBody }: Call,
  parameters: ReturnType<typeof readParameters> | null,
): ErrorAnswer | (() => void | Promise<void>) {
  const { release } = exchange
  const { handlers, answers, cursors, files, site } = exchange.dependencies
  const { id, cache } = match.operation
  if (cachedBody || !parameters)
    return () => {
      answers.count.hits++
      return sendAnswer(exchange, cachedBody!, cache)
    }
  if ('error' in parameters) return parameters.error
  const handler = handlers[id] as Handler<unknown>
  if (!release && !handler.needsNoRelease) return noRelease
  const context: Context = {
    release: release!,
    cursors,
    files,
    job: new Job(),
    siteUrl: site.current?.url ?? null,
    client: exchange,
  }
  const request = handler.read ? handler.read(parameters.values, context) : parameters.values
  if (isError(request as object)) return request as ErrorAnswer
  const look = () => handler.answer(request, context)
  const isShared = handler.isRepeatable?.(request) ?? true
  const finish = (result: Body | ErrorAnswer) =>
    isError(result) ? sendError(exchange, result) : sendAnswer(exchange, result, cache)
  return () => {
    const share = () => {
      const target = { url, match, key: answerKey(id, parameters.values) }
      return answers.answer(context.release, target, look, handler.makingMax)
    }
    const result = isShared ? share() : look()
    return result instanceof Promise ? result.then(finish) : finish(result)
  }
}
