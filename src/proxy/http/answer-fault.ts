import type { ErrorAnswer } from '#contract/errors.ts'
import { UnknownPlan } from '#metering/plan-table.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { TreeFault } from '#release/tree.ts'
import type { Exchange } from './exchange.ts'
import { internal, noOrigin, noSite, noStore, unknownPlan } from './refusals.ts'
import { sendError } from './send.ts'

/** The server of the site does not answer. */
export class UpstreamFault extends Error {
  override name = 'UpstreamFault'
}

/**
 * Logs an exception, gives the unit back, and answers: 503 for a store or an origin out of reach,
 * else 500.
 */
export async function answerFault(exchange: Exchange, error: Error): Promise<void> {
  const { counters, faultLog } = exchange.dependencies
  const answer = logFault(exchange, error)
  if (exchange.res.headersSent) return void exchange.res.destroy()
  if (exchange.receipt) {
    await counters
      .giveBack(exchange.receipt)
      .catch((fault: Error) => faultLog.error({ err: fault }, 'cannot give a unit back'))
  }
  await sendError(exchange, answer)
}

/** Logs an exception, and returns its answer. */
function logFault(exchange: Exchange, error: Error): ErrorAnswer {
  const { requestId, method } = exchange
  const { faultLog } = exchange.dependencies
  const operation = exchange.operation?.id
  if (error instanceof StoreUnavailable) {
    faultLog.storeFailed(error)
    return error instanceof UnknownPlan ? unknownPlan(error.plan) : noStore
  }
  if (error instanceof TreeFault) {
    exchange.treeFault = error.reason
    faultLog.treeFailed(error, { operation, requestId })
    return noOrigin
  }
  if (error instanceof UpstreamFault) {
    faultLog.error({ requestId }, error.message)
    return noSite
  }
  faultLog.error({ err: error, method, operation, requestId }, 'a request failed')
  return internal
}
