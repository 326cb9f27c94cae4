import type { ErrorCode } from '#contract/errors.ts'
import type { TreeFaultReason } from '#release/tree.ts'
import type { Exchange } from './exchange.ts'

/** A request whose answer has been sent, or whose client has gone away. */
export interface AnsweredRequest {
  requestId: string
  method: string
  /**
   * The operation's id; null for pages of the site, unknown paths and bytes that are not a request.
   */
  operation: string | null
  /** As sent; 499 if the client went away before it had the whole answer. */
  status: number
  /** The code of the error, if the answer is one. */
  code: ErrorCode | null
  /** Why the tree did not give a file, if that is why the request failed. */
  treeFault: TreeFaultReason | null
  /** From the head of the request to the last byte of the answer. */
  durationMs: number
  /** Of the body as sent. */
  sizeBytes: number
  account: string | null
  keyId: string | null
  /** Whose window a request without a key spends: an IPv4 address, or the /64 of an IPv6 one. */
  client: string
}

/** Called once for every request, after its answer. */
export type OnAnswered = (request: AnsweredRequest) => void

/** The status in logs and metrics of a request whose client went away; nginx uses the same. */
const clientGone = 499

/** A request whose answer is over. `keyId` and `client` are worked out only when it is logged. */
export function answeredRequest(
  exchange: Exchange,
  startMs: number,
  { keyId, client }: Pick<AnsweredRequest, 'keyId' | 'client'>,
): AnsweredRequest {
  const { requestId, method, res, operation, errorCode, treeFault, account, sentBytes } = exchange
  return {
    requestId,
    method,
    operation: operation?.id ?? null,
    status: res.writableFinished ? res.statusCode : clientGone,
    code: errorCode,
    treeFault,
    durationMs: performance.now() - startMs,
    sizeBytes: sentBytes || forwardedBytes(exchange),
    account,
    keyId,
    client,
  }
}

/** The size of a response that was forwarded from another server: only its head says it. */
function forwardedBytes({ method, res }: Exchange): number {
  return method === 'HEAD' ? 0 : Number(res.getHeader('content-length') ?? 0)
}

/** Bytes that were refused because they are not a request. */
export function unreadRequest(
  request: Pick<AnsweredRequest, 'requestId' | 'status' | 'code' | 'client'>,
): AnsweredRequest {
  return {
    ...request,
    method: '',
    operation: null,
    durationMs: 0,
    sizeBytes: 0,
    account: null,
    keyId: null,
    treeFault: null,
  }
}
