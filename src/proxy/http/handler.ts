import type { ErrorAnswer } from '#contract/errors.ts'
import type { OperationId, ParameterValues } from '#contract/operations.ts'
import type { QuotaState } from '#metering/store.ts'
import type { Release } from '#release/release.ts'
import type { Body } from './body.ts'
import type { Cursors } from './cursor.ts'
import type { Values } from './read-parameters.ts'

/** A successful answer: a body, and its entity tag where it has one. */
export interface Answer {
  body: Body
  /**
   * Differs between any two bodies of one address; absent where callers must not cache the answer.
   */
  digest?: string
}

/** What an operation is answered from. */
export interface Context {
  release: Release
  cursors: Cursors
}

/**
 * The look-up of an operation. It is synchronous where it can be, so that the request needs no turn
 * of its own.
 */
export type LookUp = () => Answer | ErrorAnswer | Promise<Answer | ErrorAnswer>

/** Where an operation takes its answer from: the release, the state of the quota, or itself. */
export type Handler<V = Values> =
  | {
      from: 'release'
      /**
       * Finishes the check of the parameters (cursors, and what they are bound to) and spends
       * nothing. What it returns is the look-up, which runs once the quota has admitted the
       * request.
       */
      prepare(values: V, context: Context): ErrorAnswer | LookUp
    }
  | { from: 'quota'; answer: (quota: QuotaState) => Answer }
  | { from: 'itself'; answer: () => Answer }

/** The handler of each operation, which gets the values that the operation's own schemas gave. */
export type Handlers = { [Id in OperationId]: Handler<ParameterValues<Id>> }

export function isError(result: object): result is ErrorAnswer {
  return 'status' in result
}
