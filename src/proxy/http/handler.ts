import type { ErrorAnswer } from '#contract/errors.ts'
import type { OperationId } from '#contract/operations.ts'
import type { QuotaState } from '#metering/store.ts'
import type { Release } from '#release/release.ts'
import type { Client } from '#release/tree.ts'
import type { Body } from './body.ts'
import type { Cursors } from './cursor.ts'
import type { FileCache } from './caches.ts'
import type { Job } from '../turns.ts'

/** What operations are answered from. */
export interface Context {
  /** Absent for an operation that needs none while none is in service. */
  release: Release
  cursors: Cursors
  files: FileCache
  /** Lets long work yield to other requests. */
  job: Job
  /** Whose request it is, and what is left of the quota once it was asked. */
  client?: Client & { quota: QuotaState | null }
  /** The public address of the site; null without one. */
  siteUrl: string | null
}

/** The operation's part of a request: two steps, between which the quota is asked. */
export interface Handler<Parameters, Asked = Parameters> {
  /**
   * Finishes the check of the parameters, such as the cursor, and spends nothing. Absent where the
   * schemas check everything.
   */
  read?(parameters: Parameters, context: Context): Asked | ErrorAnswer
  /**
   * Looks the answer up. It is synchronous if it can be, so that the request needs no turn of the
   * event loop for it.
   */
  answer(request: Asked, context: Context): Result | Promise<Result>
  /**
   * Whether another request with the same parameters gets the same answer; it does unless this says
   * otherwise.
   */
  isRepeatable?(request: Asked): boolean
  /**
   * How many answers are made at once; further requests get 503. Set where an answer takes so much
   * work that it is cached at its first request.
   */
  makingMax?: number
  /** Whether it can be answered while no release is in service. */
  needsNoRelease?: true
}

type Result = Body | ErrorAnswer

/** The handler of each operation. */
export type Handlers = Record<OperationId, Handler<never, unknown>>
