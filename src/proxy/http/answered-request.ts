import type { OriginReason } from '#release/origin/origin-fault.ts'
import type { ErrorCode } from '#contract/errors.ts'

/** What is known of a request once its answer has gone out, or its client has gone away. */
export interface AnsweredRequest {
  requestId: string
  method: string
  /**
   * The operation's id; null for what is no operation: pages of the site, unknown paths, bytes that
   * are no request.
   */
  operation: string | null
  /** As sent; 499 where the client went away before it had the whole answer. */
  status: number
  /** The code of the error, where the answer is one. */
  code: ErrorCode | null
  /** Why the origin did not give a file, where that is why there is no answer. */
  originFault: OriginReason | null
  /** From the head of the request to the last byte of the answer. */
  durationMs: number
  /** Of the body as sent. */
  sizeBytes: number
  account: string | null
  keyId: string | null
  /** Whose window a request without a key spends: an IPv4 address, or the /64 of an IPv6 one. */
  client: string
}

/** Hears of every request that was answered. */
export type OnAnswered = (request: AnsweredRequest) => void

/** The status in logs and metrics of a request whose client went away: nginx's. */
export const clientGone = 499
