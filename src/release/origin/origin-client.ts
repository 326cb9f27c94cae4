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
import { ownBytes } from '#kit/own-bytes.ts'
import { largestBytes, requireTreePath } from '../tree-path.ts'
import { MissingFile, TreeFault, type Client, type TreeFaultReason } from '../tree.ts'

/**
 * The time limits for the origin's response: for its start, and for all of it. Connecting has no
 * limit of its own: a full queue costs a second (RFC 6298), and the next attempt succeeds.
 */
export interface OriginLimits {
  firstByteMs: number
  wholeMs: number
}

const originLimits: OriginLimits = { firstByteMs: 3_000, wholeMs: 10_000 }

export interface OriginRequest {
  path: string
  /** For a body that may have changed: the `ETag` of the stored one. */
  ifNoneMatch?: string | undefined
  /** Whether these are the right bytes. */
  isRight?: ((bytes: Uint8Array) => boolean) | undefined
  limits?: OriginLimits
  /** The client that the file is for, if there is one. */
  client?: Client | undefined
}

interface OriginExchange {
  sending(request: ClientRequest): void
  onAnswer(answer: IncomingMessage): void
  onFailure(error: Error): void
}

/** More connections at once would only queue in the origin. */
const maxConnections = 64
/**
 * The time after which an idle connection is closed: less than most origins wait (nginx: 75 s), so
 * that few requests use a connection that the origin is closing.
 */
const idleMs = 15_000

/**
 * Reads the files of a tree from its origin: for a client, whose request http-proxy forwards, or
 * for the proxy itself. No headers pass between the client and the origin.
 */
export class OriginClient {
  readonly location: string
  readonly #limits: OriginLimits
  readonly #headers: Record<string, string>
  readonly #agent: HttpAgent

  constructor(root: URL, token: string | undefined, limits: OriginLimits = originLimits) {
    this.location = root.href
    this.#limits = limits
    this.#headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    }
    const Agent = root.protocol === 'https:' ? HttpsAgent : HttpAgent
    this.#agent = new Agent({ keepAlive: true, maxSockets: maxConnections, timeout: idleMs })
  }

  /**
   * Reads a file: the response is 200, or 304 for a conditional request. Its bytes are in memory of
   * their own. A request that fails, but not by a timeout, is repeated on a new connection.
   *
   * @throws {MissingFile} the origin has no such file
   * @throws {TreeFault}
   */
  async read(request: OriginRequest) {
    requireTreePath(request.path)
    try {
      return await this.#send(request, this.#agent)
    } catch (error) {
      if (!(error instanceof TreeFault) || !['connect', 'cut', 'wrong'].includes(error.reason)) throw error
      // Without the client, who may have disconnected.
      return await this.#send({ ...request, client: undefined }, false)
    }
  }

  async #send(request: OriginRequest, agent: HttpAgent | false) {
    const { path, limits: { firstByteMs, wholeMs } = this.#limits } = request
    const limit = new AbortController()
    const failAfter = (ms: number) =>
      setTimeout(() => limit.abort(new Error(`it took longer than ${ms} ms`)), ms)
    const timers = [failAfter(firstByteMs), failAfter(wholeMs)]
    const response = Promise.withResolvers<IncomingMessage>()
    limit.signal.onabort = () => response.reject(limit.signal.reason as Error)
    let status: number | undefined
    try {
      this.#begin(request, agent, {
        sending: (outgoingRequest) => addAbortSignal(limit.signal, outgoingRequest),
        onAnswer: response.resolve,
        onFailure: response.reject,
      })
      const answer = await response.promise
      status = answer.statusCode!
      clearTimeout(timers[0])
      const body = await collect(answer, largestBytes(path))
      if (status === 404)
        throw new MissingFile(path, `there is no file "${path}" at "${this.location}"`, status)
      if (status !== 200 && !(status === 304 && request.ifNoneMatch))
        throw this.#fault('status', path, status, `it responded with status ${status}`)
      if (status === 200 && request.isRight?.(body.bytes) === false)
        throw this.#fault('wrong', path, status, 'its bytes do not match the digest in the release')
      return { status, headers: answer.headers, ...body }
    } catch (error) {
      if (error instanceof TreeFault) throw error
      const late = limit.signal.reason as Error | undefined
      const { message, code } = error as NodeJS.ErrnoException
      if (late) throw this.#fault('timeout', path, status, late.message)
      if (error instanceof RangeError) throw this.#fault('wrong', path, status, message)
      if (status !== undefined) throw this.#fault('cut', path, status, 'its response was truncated')
      throw this.#fault('connect', path, status, message || String(code))
    } finally {
      for (const timer of timers) clearTimeout(timer)
    }
  }

  #fault(reason: TreeFaultReason, path: string, status: number | undefined, message: string): TreeFault {
    return new TreeFault(reason, path, `cannot read "${path}" from the origin: ${message}`, { status })
  }

  /** Sends a request, or forwards that of a client. */
  #begin({ path, ifNoneMatch, client }: OriginRequest, agent: HttpAgent | false, exchange: OriginExchange) {
    const url = new URL(this.location + path)
    if (client) return this.#forward(client, url, exchange)
    const headers = ifNoneMatch ? { ...this.#headers, 'if-none-match': ifNoneMatch } : this.#headers
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, { agent, headers })
    exchange.sending(request)
    request.on('response', exchange.onAnswer).on('error', exchange.onFailure).end()
  }

  #forward({ req, res }: Client, target: URL, { sending, onAnswer, onFailure }: OriginExchange): void {
    req.headers = { ...this.#headers }
    // One for each request, because its events do not say which of several requests they are about.
    const proxy = createProxyServer()
    proxy.on('proxyReq', sending).on('proxyRes', onAnswer)
    const fail = (error: unknown) => onFailure(error as Error)
    // http-proxy gives up when the client disconnects, but others may be waiting for the same file.
    proxy.on('econnreset', fail)
    const options = {
      target,
      agent: this.#agent,
      changeOrigin: true,
      ignorePath: true,
      method: 'GET',
      // The body of a GET is not forwarded.
      buffer: Readable.from([]),
      // The proxy checks the body before it sends it, compressed and with its own headers.
      selfHandleResponse: true,
    }
    proxy.web(req, res, options, fail)
  }

  close(): void {
    this.#agent.destroy()
  }
}

/**
 * Returns the body and its SHA-256 (hex), computed piece by piece so that nothing else waits long.
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
  return { bytes: ownBytes(Buffer.concat(pieces)), digest: hash.digest('hex') }
}

/** The age from which on a file's ETag identifies one version of it. */
const settledMs = 2_000

/**
 * Returns the ETag, unless the file had just changed: nginx and others derive it from the size and
 * the time in whole seconds, so two versions of one second share it (RFC 9110 section 8.8.2.2).
 */
export function reliableEtag(headers: IncomingHttpHeaders): string | undefined {
  const { etag, date = '', 'last-modified': lastModified = '' } = headers
  return Date.parse(date) - Date.parse(lastModified) < settledMs ? undefined : etag
}
