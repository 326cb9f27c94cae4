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
import { FileRequest, type OriginAnswer, type OriginLimits } from './file-request.ts'
import { OriginFault } from './origin-fault.ts'

export const originLimits: OriginLimits = { connectMs: 1_000, firstByteMs: 3_000, wholeMs: 10_000 }

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
