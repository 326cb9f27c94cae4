import type { ErrorAnswer } from '#contract/errors.ts'
import type { OperationId } from '#contract/operations.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import type { QuotaState } from '#metering/store.ts'
import type { Release } from '#release/release.ts'
import type { Client } from '#release/tree.ts'
import type { Body } from './body.ts'
import type { Cursors } from './cursor.ts'
import type { Values } from './read-parameters.ts'

/** A successful answer: a body, and its entity tag where it has one. */
export interface Answer {
  body: Body
  /** Differs between any two bodies of one address; absent if callers must not cache the answer. */
  digest?: string
}

/** What look-ups read from. */
export interface Context {
  release: Release
  cursors: Cursors
  /** Whose request it is. */
  client?: Client
}

/**
 * The look-up of an operation. It is synchronous if it can be, so that the request needs no turn of
 * the event loop for it.
 */
export type LookUp = () => Answer | ErrorAnswer | Promise<Answer | ErrorAnswer>

/** What an operation is answered from: the release, the state of the quota, or nothing else. */
export type Handler<V = Values> =
  | {
      from: 'release'
      /**
       * Finishes the check of the parameters, such as the cursor, and spends nothing. Returns the
       * look-up, which runs once the quota has admitted the request.
       */
      prepare(values: V, context: Context): ErrorAnswer | LookUp
    }
  | { from: 'quota'; answer: (quota: QuotaState) => Answer }
  | { from: 'itself'; answer: () => Answer }

/** The handler of each operation, typed by the schemas of its parameters. */
export type Handlers = { [Id in OperationId]: Handler<ParameterValues<Id>> }

export function isError(result: object): result is ErrorAnswer {
  return 'status' in result
}
