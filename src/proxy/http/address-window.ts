import type { ErrorAnswer } from '#contract/errors.ts'
import { StoreUnavailable, type AddressSubject, type Decision } from '#metering/store.ts'
import type { Dependencies } from './dependencies.ts'
import type { Exchange } from './exchange.ts'
import { invalidKey } from './refusals.ts'
import { sendError } from './respond.ts'

/** The window of a client address, which requests without a valid key spend (contract 1.3). */

export function addressSubject(
  { clientAddresses, publicPerMinute }: Dependencies,
  peer: string | undefined,
  forwardedFor: string | undefined,
): AddressSubject {
  return { kind: 'address', address: clientAddresses.of(peer, forwardedFor), perMinute: publicPerMinute }
}

export function subjectOf({ peer, headers }: Exchange, dependencies: Dependencies): AddressSubject {
  return addressSubject(dependencies, peer, headers.forwardedFor)
}

/** Spends a place in the window of the client's address. Null if the counters cannot be reached. */
export function spendAddressWindow(exchange: Exchange, dependencies: Dependencies): Promise<Decision | null> {
  return show(exchange, dependencies.counters.consume(subjectOf(exchange, dependencies), 0))
}

/** Shows the window of the client's address and spends nothing. */
export async function showAddressWindow(exchange: Exchange, dependencies: Dependencies): Promise<void> {
  await show(exchange, dependencies.counters.peek(subjectOf(exchange, dependencies)))
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
export async function refuse(
  exchange: Exchange,
  error: ErrorAnswer,
  dependencies: Dependencies,
): Promise<void> {
  await showAddressWindow(exchange, dependencies)
  await sendError(exchange, error)
}

/** 401 even if the window of the address, of which it spends a place, is spent. */
export function refuseKey(exchange: Exchange, dependencies: Dependencies): Promise<void> {
  return spendAddressWindow(exchange, dependencies).then(() => sendError(exchange, invalidKey))
}
