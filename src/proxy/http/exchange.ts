import { randomUUID } from 'node:crypto'
import { METHODS, type IncomingMessage, type ServerResponse } from 'node:http'
import type { ErrorCode } from '#contract/errors.ts'
import type { KnownList } from '#contract/known.ts'
import type { Operation } from '#contract/operations.ts'
import { isKey } from '#metering/key.ts'
import type {
  AddressSubject,
  Counters,
  Decision,
  KeySubject,
  QuotaState,
  Receipt,
  WindowState,
} from '#metering/store.ts'
import type { Release } from '#release/release.ts'
import type { TreeFaultReason } from '#release/tree.ts'
import type { Followed } from '../followed.ts'
import type { AnswerCache, FileCache } from './caches.ts'
import { windowOf, type TrustedProxies } from './client-address.ts'
import type { Cursors } from './cursor.ts'
import type { FaultLog } from './fault-log.ts'
import type { Handlers } from './handler.ts'
import { readHeaders, type RequestHeaders } from './request-headers.ts'

/** Everything that is needed to answer requests. */
export interface Dependencies {
  counters: Counters
  cursors: Cursors
  release: Followed<Release>
  handlers: Handlers
  /** Whether `known` is read only once the key and its window have been checked. */
  mustUnpack(known: KnownList, release: Release, language: string): boolean
  answers: AnswerCache
  files: FileCache
  /** The site, with its public address, whose pages explain errors. */
  site: { readonly current: { readonly url: string } | null }
  /** Answers a path that no operation has. */
  answerOutsideApi(exchange: Exchange, path: string): void | Promise<void>
  trustedProxies: TrustedProxies
  /** The number of requests per minute that a client address may send without a key. */
  publicPerMinute: number
  /** Called once for every request, after its response. Null without metrics and access log. */
  onAnswered: ((exchange: Exchange) => void) | null
  faultLog: FaultLog
}

/** The status in logs and metrics of a request whose client disconnected; nginx uses the same. */
const clientGone = 499

/** Matches the ids that a load balancer may send, such as trace ids, safe in headers and logs. */
const requestIdForm = /^[\w.:+=/-]{1,128}$/

/** One request, and what is known so far about its response. */
export class Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly dependencies: Dependencies
  /** Empty for bytes that are not a request. */
  readonly method: string
  readonly headers: RequestHeaders
  /**
   * Identifies the request in the response and in the logs: the `X-Request-Id` that a trusted proxy
   * sent, else a new UUID. Other clients could forge log lines.
   */
  readonly requestId: string
  /** The release in service when the request arrived, used until `end`; null if there was none. */
  readonly release: Release | null
  readonly #startMs = performance.now()
  /** The minute window in the response; null until it is known. */
  window: WindowState | null = null
  /** The quota of the caller; null until it is known. */
  quota: QuotaState | null = null
  /** Null for a request that matches no operation, such as one for a page of the site. */
  operation: Operation | null = null
  /** The key that was sent. */
  key: KeySubject | null = null
  /** The receipt to give back if the answer fails. */
  receipt: Receipt | null = null
  /** The error code, if the response is an error. */
  errorCode: ErrorCode | null = null
  /** The reason why the tree could not provide a file, if the request failed for that. */
  treeFault: TreeFaultReason | null = null
  /** The size of the body as sent, once it has been sent. */
  sentBytes = 0

  constructor(req: IncomingMessage, res: ServerResponse, dependencies: Dependencies) {
    this.req = req
    this.res = res
    this.dependencies = dependencies
    this.release = dependencies.release.current
    this.release?.addUser()
    this.method = req.method ?? ''
    this.headers = readHeaders(req.rawHeaders)
    const id = this.headers['x-request-id']
    const isSafe = id !== undefined && requestIdForm.test(id) && !isKey(id)
    const isTaken = isSafe && dependencies.trustedProxies.has(this.peer)
    this.requestId = isTaken ? id : randomUUID()
  }

  /** Ends the use of the release: nothing more is read for the answer. */
  end(): void {
    this.release?.removeUser()
  }

  /** The address at the other end of the connection. */
  get peer(): string | undefined {
    return this.req.socket.remoteAddress
  }

  /** The subject whose window a request without a valid key uses (contract 1.3). */
  get addressSubject(): AddressSubject {
    const { trustedProxies, publicPerMinute } = this.dependencies
    const address = windowOf(trustedProxies.clientOf(this.peer, this.headers['x-forwarded-for']))
    return { kind: 'address', address, perMinute: publicPerMinute }
  }

  /** Takes the window and the quota from a decision. */
  note(decision: Decision): void {
    if (decision.outcome === 'unknown_key') return
    this.window = decision.window
    this.quota = decision.quota
  }

  /** Returns the fields of the access log, once the response was sent or its client is gone. */
  logFields() {
    const { requestId, method, res, operation, errorCode, quota, key, sentBytes } = this
    // For a response that was forwarded from another server, only the head contains the size.
    const forwardedBytes = () => (method === 'HEAD' ? 0 : Number(res.getHeader('content-length') ?? 0))
    return {
      requestId,
      /** Null unless it is an HTTP method, because a client may have sent a key instead. */
      method: METHODS.includes(method) ? method : null,
      /** Null for pages of the site, unknown paths and bytes that are not a request. */
      operation: operation?.id ?? null,
      /** As sent; 499 if the client disconnected before it had the whole response. */
      status: res.writableFinished ? res.statusCode : clientGone,
      /** The error code, if the response is an error. */
      code: errorCode,
      /** The time from the head of the request to the last byte of the response, to 0.001 ms. */
      durationMs: Math.round((performance.now() - this.#startMs) * 1000) / 1000,
      /** The size of the body as sent. */
      bytes: sentBytes || forwardedBytes(),
      account: quota?.account ?? null,
      keyId: (key && this.dependencies.counters.keyIdOf(key.digest)) ?? null,
      /** The address whose window a request without a key uses: an IPv4 address, or an IPv6 /64. */
      client: this.addressSubject.address,
    }
  }
}

export type AnsweredRequest = ReturnType<Exchange['logFields']>
