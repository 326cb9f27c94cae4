import { createHash } from 'node:crypto'
import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { addAbortSignal, Readable } from 'node:stream'
import { createProxyServer } from 'http-proxy'
import { joinBytes } from '#kit/join-bytes.ts'
import { largestBytes, requireTreePath } from '../tree-path.ts'
import { TreeFault, type Client, type TreeFaultReason } from '../tree.ts'

/** The origin of the published tree did not provide a file, or sent other bytes. */
export class OriginFault extends TreeFault {
  override name = 'OriginFault'
  /** The status that the origin answered with; null if it did not answer. */
  readonly status: number | null

  constructor(reason: TreeFaultReason, path: string, status: number | null, message: string) {
    super(reason, path, `cannot read "${path}" from the origin: ${message}`)
    this.status = status
  }
}

/**
 * How long the origin may take: to begin its answer, and for all of it. Connecting has no limit of
 * its own: a full queue of connections costs a second (RFC 6298), and the next attempt succeeds.
 */
export interface OriginLimits {
  firstByteMs: number
  wholeMs: number
}

const originLimits: OriginLimits = { firstByteMs: 3_000, wholeMs: 10_000 }

export interface OriginRequest {
  path: string
  /** For a body that may have changed: the `ETag` of the one at hand. */
  ifNoneMatch?: string | undefined
  /** Whether these are the right bytes. */
  isRight?: ((bytes: Uint8Array) => boolean) | undefined
  limits?: Partial<OriginLimits>
}

/** An answer of the origin: 200, or 304 if that was asked for. */
export interface OriginAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** In memory of their own. */
  bytes: Buffer<ArrayBuffer>
  /** Their SHA-256 (hex). */
  digest: string
}

/** More connections at once would only queue in the origin. */
const maxConnections = 64
/**
 * An idle connection is closed before most origins close it (nginx: 75 s), so that few requests
 * meet one that is closing.
 */
const idleMs = 15_000

/**
 * Reads the files of a tree from its origin: for a client, whose request http-proxy forwards, or
 * for the proxy itself. No header of a client reaches the origin, and none of its answers a client.
 */
export class OriginClient {
  readonly #root: URL
  readonly #limits: OriginLimits
  readonly #headers: Record<string, string>
  readonly #agent: HttpAgent
  readonly #proxy: ReturnType<typeof createProxyServer>
  /** By the request of a client that was forwarded, what hears of it. */
  readonly #forwarded = new WeakMap<IncomingMessage, OriginExchange>()

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
      agent: this.#agent,
      changeOrigin: true,
      ignorePath: true,
      method: 'GET',
      // The proxy checks the body before it sends it, compressed and under its own headers.
      selfHandleResponse: true,
    })
    const exchangeOf = (req: IncomingMessage) => this.#forwarded.get(req)!
    this.#proxy.on('proxyReq', (sent, req) => exchangeOf(req).sending(sent))
    this.#proxy.on('proxyRes', (answer, req) => exchangeOf(req).answered(answer))
    // http-proxy gives up when the client does. Others may be waiting for the same file.
    this.#proxy.on('econnreset', (error, req) => exchangeOf(req).failed(error as Error))
  }

  /**
   * Reads a file. A request that fails on one connection is repeated on a new one, unless it timed
   * out.
   *
   * @param client the client that the file is for, if there is one
   * @throws {OriginFault}
   */
  async read(request: OriginRequest, client?: Client): Promise<OriginAnswer> {
    requireTreePath(request.path)
    try {
      return check(request, await this.#send(request, this.#agent, client))
    } catch (error) {
      if (!(error instanceof OriginFault) || error.reason === 'timeout' || error.reason === 'status')
        throw error
      // Without the client, who may be gone.
      return check(request, await this.#send(request, false))
    }
  }

  async #send(request: OriginRequest, agent: HttpAgent | false, client?: Client): Promise<OriginAnswer> {
    const { path } = request
    const { firstByteMs, wholeMs } = { ...this.#limits, ...request.limits }
    const limit = new AbortController()
    const failAfter = (ms: number) =>
      setTimeout(() => limit.abort(new Error(`it took longer than ${ms} ms`)), ms)
    const timers = [failAfter(firstByteMs), failAfter(wholeMs)]
    const begun = Promise.withResolvers<IncomingMessage>()
    limit.signal.onabort = () => begun.reject(limit.signal.reason as Error)
    const exchange: OriginExchange = {
      sending: (sent) => addAbortSignal(limit.signal, sent),
      answered: begun.resolve,
      failed: begun.reject,
    }
    let answer: IncomingMessage | null = null
    try {
      const url = new URL(this.#root.pathname + path, this.#root)
      if (client) this.#forward(client, url, exchange)
      else this.#request(url, request.ifNoneMatch, agent, exchange)
      answer = await begun.promise
      clearTimeout(timers[0])
      const body = await collect(answer, largestBytes(path))
      return { status: answer.statusCode!, headers: answer.headers, ...body }
    } catch (error) {
      const late = limit.signal.reason as Error | undefined
      const reason = late ? 'timeout' : error instanceof RangeError ? 'wrong' : answer ? 'cut' : 'connect'
      const { message, code } = error as NodeJS.ErrnoException
      const what = reason === 'cut' ? 'its response was truncated' : message || String(code)
      throw new OriginFault(reason, path, answer?.statusCode ?? null, late?.message ?? what)
    } finally {
      for (const timer of timers) clearTimeout(timer)
    }
  }

  #forward({ req, res }: Client, target: URL, exchange: OriginExchange): void {
    this.#forwarded.set(req, exchange)
    req.headers = { ...this.#headers }
    // A body that came with a GET stays here.
    const options = { target, buffer: Readable.from([]) }
    this.#proxy.web(req, res, options, (error) => exchange.failed(error as Error))
  }

  #request(url: URL, ifNoneMatch: string | undefined, agent: HttpAgent | false, exchange: OriginExchange) {
    const headers = ifNoneMatch ? { ...this.#headers, 'if-none-match': ifNoneMatch } : this.#headers
    const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, { agent, headers })
    exchange.sending(sent)
    sent.on('response', exchange.answered).on('error', exchange.failed).end()
  }

  close(): void {
    this.#agent.destroy()
  }

  /** Where the tree is, for messages. */
  get location(): string {
    return this.#root.href
  }
}

/** What hears of a request to the origin. */
interface OriginExchange {
  sending(sent: ClientRequest): void
  answered(answer: IncomingMessage): void
  failed(error: Error): void
}

/**
 * The body of an answer, digested piece by piece, so that nothing else waits long.
 *
 * @throws {RangeError} it is too large
 * @throws {Error} it was cut off
 */
async function collect(answer: IncomingMessage, maxBytes: number) {
  const hash = createHash('sha256')
  const pieces: Buffer[] = []
  let sizeBytes = 0
  for await (const piece of answer as AsyncIterable<Buffer>) {
    sizeBytes += piece.length
    if (sizeBytes > maxBytes) throw new RangeError(`it is larger than ${maxBytes} bytes`)
    hash.update(piece)
    pieces.push(piece)
  }
  return { bytes: Buffer.from(joinBytes(pieces).buffer), digest: hash.digest('hex') }
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
