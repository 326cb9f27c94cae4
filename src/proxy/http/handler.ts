import type { ErrorAnswer } from '#contract/errors.ts'
import type { OperationId } from '#contract/operations.ts'
import type { QuotaState } from '#metering/store.ts'
import type { Release } from '#release/release.ts'
import type { Body } from './body.ts'
import type { Cursors } from './cursor.ts'
import type { Values } from './read-parameters.ts'

/** A successful answer: a body, and its entity tag where it has one. */
export interface Answer {
  body: Body
  /** Tells this body from any other of the same address; absent where the answer is not to be kept. */
  digest?: string
}

/** What an operation is answered from. */
export interface Context {
  release: Release
  cursors: Cursors
}

/** The look-up of an operation: at once where it can be, so that the request is done in one go. */
export type LookUp = () => Answer | ErrorAnswer | Promise<Answer | ErrorAnswer>

/**
 * An operation's two steps. `prepare` finishes the check of the parameters (cursors, what is bound to them) and spends nothing; what it gives is the
 * look-up, which runs once the quota has let it.
 */
export type Prepare = (values: Values, context: Context) => ErrorAnswer | LookUp

/** Where an operation takes its answer from: the release, the state of the quota, or itself. */
export type Handler =
  | { from: 'release'; prepare: Prepare }
  | { from: 'quota'; answer: (quota: QuotaState) => Answer }
  | { from: 'itself'; answer: () => Answer }

export type Handlers = Record<OperationId, Handler>

export function isError(result: object): result is ErrorAnswer {
  return 'status' in result
}
