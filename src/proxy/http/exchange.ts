import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorCode } from '#contract/errors.ts'
import type { Operation } from '#contract/operations.ts'
import type { Decision, KeySubject, Receipt, WindowState } from '#metering/store.ts'
import type { TreeFaultReason } from '#release/tree.ts'
import type { TrustedProxies } from './client-address.ts'
import { readHeaders, type RequestHeaders } from './request-headers.ts'
import { requestIdOf } from './request-id.ts'

/** One request, and what is known so far of its answer. */
export class Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly method: string
  readonly headers: RequestHeaders
  /** Names the request in the answer and in the logs. */
  readonly requestId: string
  /** The public address of the site; null without one. */
  readonly siteUrl: string | null
  /** The minute window that the answer shows; null until it is known. */
  window: WindowState | null = null
  /** Null for a request that names no operation, such as one for a page of the site. */
  operation: Operation | null = null
  /** The key that was sent. */
  key: KeySubject | null = null
  account: string | null = null
  /** What to give back if the answer fails. */
  receipt: Receipt | null = null
  /** The code of the error, if the answer is one. */
  errorCode: ErrorCode | null = null
  treeFault: TreeFaultReason | null = null
  /** The size of the body as sent, once it is. */
  sentBytes = 0

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    { trustedProxies, siteUrl }: { trustedProxies: TrustedProxies; siteUrl(): string | null },
  ) {
    this.req = req
    this.res = res
    this.method = req.method!
    this.headers = readHeaders(req.rawHeaders)
    this.requestId = requestIdOf(this.peer, this.headers.requestId, trustedProxies)
    this.siteUrl = siteUrl()
  }

  get peer(): string | undefined {
    return this.req.socket.remoteAddress
  }

  /** Takes the window and the account from a decision. */
  note(decision: Decision): void {
    if (decision.outcome === 'unknown_key') return
    this.window = decision.window
    this.account = decision.quota?.account ?? null
  }
}
