import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Stream } from 'node:stream'
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
  bytes: Buffer<ArrayBuffer>
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
      agent: this.#agent,
      changeOrigin: true,
      selfHandleResponse: true,
      connectTimeout: limits.connectMs,
      // The paths of requests are whole and normalised. Otherwise two URLs are parsed for each.
      prependPath: false,
      toProxy: true,
      buffer: noBody,
    })
    this.#proxy.on('proxyReq', (upstream, req) => fileRequest(req).begin(upstream))
    this.#proxy.on('proxyRes', (answer, req) => fileRequest(req).receive(answer))
    this.#proxy.on('error', (error, req) => fileRequest(req).fail(error as Error))
  }

  /**
   * Reads a file. A request that fails on one connection is repeated on a new one, unless it timed
   * out.
   *
   * @throws {OriginFault}
   */
  async read(request: OriginRequest): Promise<OriginAnswer> {
    try {
      return check(request, await this.#send(request))
    } catch (error) {
      if (!(error instanceof OriginFault) || error.reason === 'timeout' || error.reason === 'status')
        throw error
      return check(request, await this.#send(request, { agent: false }))
    }
  }

  #send({ path, ifNoneMatch, onBegin, limits }: OriginRequest, options = {}): Promise<OriginAnswer> {
    const req = new FileRequest(
      path,
      this.#root.pathname + path,
      ifNoneMatch ? { ...this.#headers, 'if-none-match': ifNoneMatch } : this.#headers,
      limits ? { ...this.#limits, ...limits } : this.#limits,
      onBegin?.(),
    )
    this.#proxy.web(req as unknown as IncomingMessage, noResponse, options)
    return req.answer
  }

  close(): void {
    this.#agent.destroy()
  }

  /** Where the tree is, for messages. */
  get location(): string {
    return this.#root.href
  }
}

/** @throws {OriginFault} it is not what was asked for */
function check({ path, ifNoneMatch, isRight }: OriginRequest, answer: OriginAnswer): OriginAnswer {
  const { status, bytes } = answer
  if (status !== 200 && !(status === 304 && ifNoneMatch))
    throw new OriginFault('status', path, status, `it answers ${status}`)
  if (status === 200 && isRight && !isRight(bytes))
    throw new OriginFault('wrong', path, status, 'its bytes do not match the digest in the release')
  return answer
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

/** In the place of the body of a client's request. */
const noBody = { pipe: (upstream: ClientRequest) => upstream.end() } as unknown as Stream

/** In the place of the response to a client: it never closes, and nothing may be piped to it. */
const noResponse = { finished: true, on() {} } as unknown as ServerResponse

function fileRequest(req: IncomingMessage): FileRequest {
  return req as unknown as FileRequest
}

const ignore = () => {}

/**
 * One request to the origin and its answer, within its limits. It takes the place of a client's
 * request, and has what http-proxy uses of one: a real one is a stream, and to make it and pipe it
 * takes as long as all else that a file costs the proxy.
 */
class FileRequest {
  readonly method = 'GET'
  readonly url: string
  readonly headers: Record<string, string>
  readonly socket = { destroyed: false }
  readonly answer: Promise<OriginAnswer>
  readonly #path: string
  readonly #limits: OriginLimits
  readonly #onPiece: ((piece: Uint8Array) => void) | undefined
  #resolve!: (answer: OriginAnswer) => void
  #reject!: (fault: OriginFault) => void
  #upstream: ClientRequest | undefined
  #status: number | null = null
  #isOver = false
  #timer: NodeJS.Timeout

  constructor(
    path: string,
    url: string,
    headers: Record<string, string>,
    limits: OriginLimits,
    onPiece: ((piece: Uint8Array) => void) | undefined,
  ) {
    this.url = url
    this.headers = headers
    this.#path = path
    this.#limits = limits
    this.#onPiece = onPiece
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#timer = setTimeout(() => this.#awaitRest(), Math.min(limits.firstByteMs, limits.wholeMs))
  }

  /** http-proxy listens for errors, of which there are none. */
  on(): this {
    return this
  }

  /** Receives its request, which is about to be sent. */
  begin(upstream: ClientRequest): void {
    this.#upstream = upstream
    if (this.#isOver) upstream.destroy()
  }

  receive(answer: IncomingMessage): void {
    this.#status = answer.statusCode!
    const pieces: Buffer<ArrayBuffer>[] = []
    answer.on('data', (piece: Buffer<ArrayBuffer>) => {
      pieces.push(piece)
      this.#onPiece?.(piece)
    })
    // A body that is cut off closes, too.
    answer.on('error', ignore)
    answer.on('close', () => {
      if (!answer.complete) return this.#fail('cut', 'its response was truncated')
      if (!this.#finish()) return
      // A small body is not copied: it shares the memory of the head that came with it.
      const bytes = pieces.length === 1 ? pieces[0]! : Buffer.from(joinBytes(pieces).buffer)
      this.#resolve({ status: this.#status!, headers: answer.headers, bytes })
    })
  }

  fail(error: Error): void {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ECONNECT_TIMEOUT') this.#late(this.#limits.connectMs)
    else this.#fail('connect', error.message || String(code))
  }

  /** At the limit for the first byte: waits until the limit for the whole. */
  #awaitRest(): void {
    const { firstByteMs, wholeMs } = this.#limits
    const restMs = wholeMs - firstByteMs
    if (this.#status === null) this.#late(Math.min(firstByteMs, wholeMs))
    else if (restMs <= 0) this.#late(wholeMs)
    else this.#timer = setTimeout(() => this.#late(wholeMs), restMs)
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
    clearTimeout(this.#timer)
    return true
  }
}
