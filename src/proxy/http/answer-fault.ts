import type { ErrorAnswer } from '#contract/errors.ts'
import { UnknownPlan } from '#metering/plan-table.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { TreeFault } from '#release/tree.ts'
import type { Dependencies } from './dependencies.ts'
import type { Exchange } from './exchange.ts'
import { internal, noOrigin, noSite, noStore, unknownPlan } from './refusals.ts'
import { sendError } from './respond.ts'

/** The server of the site does not answer. */
export class UpstreamFault extends Error {
  override name = 'UpstreamFault'
}

/**
 * Logs an exception, gives the unit back, and answers: 503 for a store or an origin out of reach,
 * else 500.
 */
export async function answerFault(
  exchange: Exchange,
  error: Error,
  dependencies: Dependencies,
): Promise<void> {
  const { counters, log } = dependencies
  logFault(exchange, error, dependencies)
  if (exchange.res.headersSent) return void exchange.res.destroy()
  if (exchange.receipt) {
    await counters
      .giveBack(exchange.receipt)
      .catch((fault: Error) => log.error({ err: fault }, 'cannot give a unit back'))
  }
  await sendError(exchange, answerTo(error))
}

function logFault(exchange: Exchange, error: Error, { storeHealth, treeLog, log }: Dependencies): void {
  const { requestId, method } = exchange
  const operation = exchange.operation?.id
  if (error instanceof StoreUnavailable) return storeHealth.failed(error)
  if (error instanceof TreeFault) {
    exchange.treeFault = error.reason
    return treeLog.failed(error, { operation, requestId })
  }
  if (error instanceof UpstreamFault) return log.error({ requestId }, error.message)
  log.error({ err: error, method, operation, requestId }, 'a request failed')
}

function answerTo(error: Error): ErrorAnswer {
  if (error instanceof UnknownPlan) return unknownPlan(error.plan)
  if (error instanceof StoreUnavailable) return noStore
  if (error instanceof UpstreamFault) return noSite
  return error instanceof TreeFault ? noOrigin : internal
}
