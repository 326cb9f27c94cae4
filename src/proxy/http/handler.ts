import type { ErrorAnswer } from '#contract/errors.ts'
import type { OperationId } from '#contract/operations.ts'
import type { QuotaState } from '#metering/store.ts'
import type { Release } from '#release/release.ts'
import type { Client } from '#release/tree.ts'
import type { Body } from './body.ts'
import type { Cursors } from './cursor.ts'
import type { FileCache } from './caches.ts'
import type { Job } from '../turns.ts'

/** Everything from which operations are answered. */
export interface Context {
  /** Absent if no release is in service, and the operation needs none. */
  release: Release
  cursors: Cursors
  files: FileCache
  /** Lets long work yield to other requests. */
  job: Job
  /** The client, and the rest of its quota once that is known. */
  client?: Client & { quota: QuotaState | null }
  /** The public address of the site; null without one. */
  siteUrl: string | null
}

/** The operation-specific part of a request: two steps, between which the quota is checked. */
export interface Handler<Parameters, Asked = Parameters> {
  /**
   * Finishes checking the parameters, such as the cursor, and counts nothing. Absent if the schemas
   * check everything.
   */
  read?(parameters: Parameters, context: Context): Asked | ErrorAnswer
  /**
   * Looks the answer up. It is synchronous if it can be, because a promise takes another turn of
   * the event loop.
   */
  answer(request: Asked, context: Context): Result | Promise<Result>
  /** Whether another request with the same parameters gets the same answer; true by default. */
  isRepeatable?(request: Asked): boolean
  /**
   * The number of answers that may be computed at once; further requests get 503. Set it if an
   * answer takes so much work that it is cached at its first request.
   */
  makingMax?: number
  /** Whether it can be answered while no release is in service. */
  needsNoRelease?: true
}

type Result = Body | ErrorAnswer

/** The handler of each operation. */
export type Handlers = Record<OperationId, Handler<never, unknown>>
