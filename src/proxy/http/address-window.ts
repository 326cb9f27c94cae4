import type { ErrorAnswer } from '#contract/errors.ts'
import { StoreUnavailable, type Decision } from '#metering/store.ts'
import type { Exchange } from './exchange.ts'
import { invalidKey } from './refusals.ts'
import { sendError, sendPreflight } from './send.ts'

/** The window of a client address, which requests without a valid key spend (contract 1.3). */

/** Spends a place in the window of the client's address. Null if the counters cannot be reached. */
export function spendAddressWindow(exchange: Exchange): Promise<Decision | null> {
  return show(exchange, exchange.dependencies.counters.consume(exchange.addressSubject, 0))
}

/** Asks for the window of the client's address, to show it, and spends nothing. */
function peekAddressWindow(exchange: Exchange): Promise<Decision | null> {
  return show(exchange, exchange.dependencies.counters.peek(exchange.addressSubject))
}

/** A request that needs no key is answered without counters, too; its window is then unknown. */
function show(exchange: Exchange, asked: Promise<Decision>): Promise<Decision | null> {
  return asked.then(
    (decision) => {
      exchange.note(decision)
      return decision
    },
    (error: Error) => {
      if (error instanceof StoreUnavailable) return null
      throw error
    },
  )
}

/** Sends an error that shows the window of the client's address and spends nothing. */
export function refuse(exchange: Exchange, error: ErrorAnswer): Promise<void> {
  return peekAddressWindow(exchange).then(() => sendError(exchange, error))
}

/** Answers a preflight in the same way. */
export function answerPreflight(exchange: Exchange, allow?: string): Promise<void> {
  return peekAddressWindow(exchange).then(() => sendPreflight(exchange, allow))
}

/** 401 even if the window of the address, of which it spends a place, is spent. */
export function refuseKey(exchange: Exchange): Promise<void> {
  return spendAddressWindow(exchange).then(() => sendError(exchange, invalidKey))
}
