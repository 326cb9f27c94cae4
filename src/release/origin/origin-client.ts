import {
  Agent as HttpAgent,
  IncomingMessage,
  ServerResponse,
  type ClientRequest,
  type IncomingHttpHeaders,
} from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Socket } from 'node:net'
import { createProxyServer } from 'http-proxy'
import { joinBytes } from '#kit/join-bytes.ts'
import { OriginFault } from './origin-fault.ts'

/** How long the origin may take: to accept a connection, to begin its answer, and for all of it. */
export interface OriginLimits {
  connectMs: number
  firstByteMs: number
  wholeMs: number
}

export const originLimits: OriginLimits = { connectMs: 1_000, firstByteMs: 3_000, wholeMs: 10_000 }

/** An answer of the origin: 200, or 304 if that was asked for. */
export interface OriginAnswer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Uint8Array<ArrayBuffer>
}

export interface OriginRequest {
  path: string
  /** For a body that may have changed: the `ETag` of the one at hand. */
  ifNoneMatch?: string | undefined
  /** Whether these are the right bytes. */
  isRight?: ((bytes: Uint8Array) => boolean) | undefined
  /**
   * Called when a body begins, again if the file is requested again. Its result receives the body
   * piece by piece.
   */
  onBegin?: () => (piece: Uint8Array) => void
  limits?: Partial<OriginLimits>
}

/** More connections at once would only queue in the origin. */
const maxConnections = 64
/**
 * An idle connection is closed before most origins close it (nginx: 75 s), so that few requests
 * meet one that is closing.
 */
const idleMs = 15_000

/**
 * Reads files from the origin through http-proxy, for no client in particular: no header of a
 * client reaches the origin, and none of its answers a client. A client that goes away therefore
 * cancels nothing here and holds no connection.
 */
export class OriginClient {
  readonly #root: URL
  readonly #limits: OriginLimits
  readonly #headers: Record<string, string>
  readonly #agent: HttpAgent
  readonly #proxy: ReturnType<typeof createProxyServer>

  constructor(root: URL, token: string | undefined, limits: OriginLimits = originLimits) {
    this.#root = root
    this.#limits = limits
    this.#headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    }
    const Agent = root.protocol === 'https:' ? HttpsAgent : HttpAgent
    this.#agent = new Agent({ keepAlive: true, maxSockets: maxConnections, timeout: idleMs })
    this.#proxy = createProxyServer({
      target: root,
      changeOrigin: true,
      selfHandleResponse: true,
      connectTimeout: limits.connectMs,
    })
    this.#proxy.on('proxyReq', (upstream, req) => (req as FileRequest).exchange.begin(upstream))
    this.#proxy.on('proxyRes', (answer, req) => (req as FileRequest).exchange.receive(answer))
  }

  /**
   * Reads a file. A request that fails on one connection is repeated on a new one, unless it timed
   * out.
   *
   * @throws {OriginFault}
   */
  async read(request: OriginRequest): Promise<OriginAnswer> {
    try {
      return await this.#ask(request, this.#agent)
    } catch (error) {
      if (!(error instanceof OriginFault) || error.reason === 'timeout' || error.reason === 'status')
        throw error
      return await this.#ask(request, false)
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  async #ask(request: OriginRequest, agent: HttpAgent | false): Promise<OriginAnswer> {
    const { path, ifNoneMatch, isRight } = request
    const headers = { ...this.#headers, ...(ifNoneMatch ? { 'if-none-match': ifNoneMatch } : {}) }
    const exchange = new Exchange(path, { ...this.#limits, ...request.limits }, request.onBegin?.())
    const req = new FileRequest(path, headers, exchange)
    // The response that goes with it is never sent: the body is taken from the upstream's.
    this.#proxy.web(req, new ServerResponse(req), { agent: agent as HttpAgent }, (error) =>
      exchange.fail(error as Error),
    )
    const { status, headers: answered, bytes } = await exchange.answer
    if (status !== 200 && !(status === 304 && ifNoneMatch))
      throw new OriginFault('status', path, status, `it answers ${status}`)
    if (status === 200 && isRight && !isRight(bytes))
      throw new OriginFault('wrong', path, status, 'its bytes do not match the digest in the release')
    return { status, headers: answered, bytes }
  }

  /** Where the tree is, for messages. */
  get location(): string {
    return this.#root.href
  }
}

/** In the place of a client's connection. One for all: to create a socket takes 10 µs. */
const noConnection = new Socket()

/** A request without a client: http-proxy forwards what it says. */
class FileRequest extends IncomingMessage {
  readonly exchange: Exchange

  constructor(path: string, headers: Record<string, string>, exchange: Exchange) {
    super(noConnection)
    this.method = 'GET'
    this.url = `/${path}`
    this.headers = headers
    this.complete = true
    this.exchange = exchange
    this.push(null)
  }
}

/** How old a file must be for its ETag to name one version of it. */
const settledMs = 2_000

/**
 * The ETag of an answer, unless the file had only just changed: nginx and others make it of the
 * size and the time in whole seconds, so two versions of one second share it (RFC 9110 section
 * 8.8.2.2).
 */
export function reliableEtag(headers: IncomingHttpHeaders): string | undefined {
  const { etag, date = '', 'last-modified': lastModified = '' } = headers
  return Date.parse(date) - Date.parse(lastModified) < settledMs ? undefined : etag
}

/** One request to the origin and its answer, within its limits. */
class Exchange {
  readonly answer: Promise<OriginAnswer>
  readonly #path: string
  readonly #limits: OriginLimits
  readonly #resolve: (answer: OriginAnswer) => void
  readonly #reject: (fault: OriginFault) => void
  readonly #onPiece: ((piece: Uint8Array) => void) | undefined
  #upstream: ClientRequest | undefined
  #status: number | null = null
  #isOver = false
  #firstByte: NodeJS.Timeout
  #whole: NodeJS.Timeout

  constructor(path: string, limits: OriginLimits, onPiece: ((piece: Uint8Array) => void) | undefined) {
    this.#path = path
    this.#onPiece = onPiece
    this.#limits = limits
    const { promise, resolve, reject } = Promise.withResolvers<OriginAnswer>()
    this.answer = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#firstByte = setTimeout(() => this.#late(limits.firstByteMs), limits.firstByteMs)
    this.#whole = setTimeout(() => this.#late(limits.wholeMs), limits.wholeMs)
  }

  /** Receives its request, which is about to be sent. */
  begin(upstream: ClientRequest): void {
    this.#upstream = upstream
    if (this.#isOver) upstream.destroy()
  }

  receive(answer: IncomingMessage): void {
    clearTimeout(this.#firstByte)
    this.#status = answer.statusCode!
    const pieces: Uint8Array[] = []
    answer.on('data', (piece: Uint8Array) => {
      pieces.push(piece)
      this.#onPiece?.(piece)
    })
    answer.on('error', () => this.#fail('cut', 'its response was truncated'))
    answer.on('close', () => this.#fail('cut', 'its response was truncated'))
    answer.on('end', () => {
      if (!answer.complete) return this.#fail('cut', 'its response was truncated')
      if (!this.#finish()) return
      this.#resolve({ status: this.#status!, headers: answer.headers, bytes: joinBytes(pieces) })
    })
  }

  fail(error: Error): void {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ECONNECT_TIMEOUT') this.#late(this.#limits.connectMs)
    else this.#fail('connect', error.message || String(code))
  }

  #late(limitMs: number): void {
    this.#fail('timeout', `it took longer than ${limitMs} ms`)
  }

  #fail(reason: OriginFault['reason'], message: string): void {
    if (!this.#finish()) return
    this.#upstream?.destroy()
    this.#reject(new OriginFault(reason, this.#path, this.#status, message))
  }

  #finish(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    clearTimeout(this.#firstByte)
    clearTimeout(this.#whole)
    return true
  }
}
