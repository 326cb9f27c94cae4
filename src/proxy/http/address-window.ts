import type { ErrorAnswer } from '#contract/errors.ts'
import { StoreUnavailable, type Decision } from '#metering/store.ts'
import type { Exchange } from './exchange.ts'
import { invalidKey } from './refusals.ts'
import { sendError, sendPreflight } from './send.ts'

/** The window of a client address, which requests without a valid key use (contract 1.3). */

/** The time that such a response waits for the counters, which another process may hold. */
const patienceMs = 100

/**
 * Uses a place in the window of the client's address, or only reads the window, to show it. Null if
 * the counters cannot be reached soon, because operations without a key are answered without them.
 */
export function askAddressWindow(exchange: Exchange, verb: 'consume' | 'peek'): Promise<Decision | null> {
  const { counters } = exchange.dependencies
  const subject = exchange.addressSubject
  const metering = verb === 'consume' ? counters.consume(subject, 0) : counters.peek(subject)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), patienceMs)
    metering.then(
      (decision) => {
        clearTimeout(timer)
        // A response that did not wait has been sent without the window.
        if (!exchange.res.headersSent) exchange.note(decision)
        resolve(decision)
      },
      (error: Error) => {
        clearTimeout(timer)
        if (error instanceof StoreUnavailable) resolve(null)
        else reject(error)
      },
    )
  })
}

/** Sends an error that shows the window of the client's address, and counts nothing. */
export function refuse(exchange: Exchange, error: ErrorAnswer): Promise<void> {
  return askAddressWindow(exchange, 'peek').then(() => sendError(exchange, error))
}

/** Answers a preflight in the same way. */
export function answerPreflight(exchange: Exchange, allow?: string): Promise<void> {
  return askAddressWindow(exchange, 'peek').then(() => sendPreflight(exchange, allow))
}

/** Sends 401, even if the window of the address, of which it uses a place, is used up. */
export function refuseKey(exchange: Exchange): Promise<void> {
  return askAddressWindow(exchange, 'consume').then(() => sendError(exchange, invalidKey))
}
