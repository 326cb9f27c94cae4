import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createProxyServer } from 'http-proxy'
import { splitTarget } from '../http/match.ts'

/** Matches a reason phrase without control characters (RFC 9112 section 4). */
const reasonForm = /^[\t\x20-\x7e\x80-\xff]*$/

const connectMs = 1_000
/** The time after which a silent server is given up. */
const silenceMs = 30_000
const idleMs = 15_000

/** Forwards requests for the site to its own server. Bodies stream both ways. */
export class SiteProxy {
  readonly #proxy: ReturnType<typeof createProxyServer>
  readonly #agent: HttpAgent

  constructor(target: URL) {
    const Agent = target.protocol === 'https:' ? HttpsAgent : HttpAgent
    this.#agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: idleMs })
    this.#proxy = createProxyServer({
      target,
      agent: this.#agent,
      changeOrigin: true,
      // Forwards the path as the client sent it, instead of resolving `..` and backslashes.
      toProxy: true,
      connectTimeout: connectMs,
      proxyTimeout: silenceMs,
    })
    // http-proxy drops the question mark of an empty query.
    this.#proxy.on('proxyReq', (request, req) => {
      if (req.url!.endsWith('?') && !request.path.includes('?')) request.path += '?'
      // Nobody has asked for another protocol. Without a listener, the request would never end.
      request.once('upgrade', (_upstream, socket) => {
        socket.destroy()
        request.emit('error', new Error('it switched to another protocol'))
      })
    })
    this.#proxy.on('proxyRes', (upstream, _req, response) => {
      const res = response as ServerResponse
      // Node refuses to send these, with an exception that would end the process. Trailers are not
      // forwarded anyway.
      if (upstream.statusCode! < 100) upstream.statusCode = 502
      if (!reasonForm.test(upstream.statusMessage!)) upstream.statusMessage = ''
      delete upstream.headers.trailer
      const isLast = !res.shouldKeepAlive || res.getHeader('connection') === 'close'
      delete upstream.headers['keep-alive']
      upstream.headers.connection = isLast ? 'close' : 'keep-alive'
      // Otherwise, the client would wait for the rest of a response that was cut off.
      upstream.on('error', () => res.destroy())
      upstream.on('aborted', () => res.destroy())
    })
  }

  /**
   * Forwards a request and its response. Removes keys from the request, and also what the peer says
   * about the client, unless the peer is trusted.
   *
   * @throws {Error} no response arrives
   */
  async forward(
    req: IncomingMessage,
    res: ServerResponse,
    client: { address: string; requestId: string; isTrusted: boolean },
  ): Promise<void> {
    req.headers = forwardedHeaders(req.headers, client)
    const { path, query } = splitTarget(req.url!)
    req.url = req.url!.includes('?') ? `${path}?${query}` : path
    await new Promise<void>((resolve, reject) => {
      res.on('close', resolve)
      void this.#proxy.web(req, res, {}, (error) => reject(error as Error))
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/**
 * The hop-by-hop headers (RFC 9110 section 7.6.1), the key, `Expect`, which this server has already
 * answered, and `Proxy`, which a CGI script of the site would take for its proxy (httpoxy).
 */
const droppedFields = [
  'authorization',
  'connection',
  'expect',
  'forwarded',
  'keep-alive',
  'proxy',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'upgrade',
]
/**
 * The headers that frame or route a message. `Connection` must not name them, because without its
 * framing, a body would be read as the next request on the connection to the site.
 */
const framingFields = ['content-length', 'host', 'transfer-encoding']
/** The headers in which a server in front describes the client and its request. */
const proxyClaims =
  /^x-(forwarded|real|original|originating|remote|rewrite|client|cluster)(-|$)|^forwarded-for$|(^|-)(client|connecting)-?ip$/

function forwardedHeaders(
  headers: IncomingHttpHeaders,
  { address, requestId, isTrusted }: { address: string; requestId: string; isTrusted: boolean },
): IncomingHttpHeaders {
  const connectionOptions = (headers.connection ?? '').toLowerCase().split(/[\s,]+/)
  const isForwarded = (name: string) =>
    framingFields.includes(name) ||
    (!droppedFields.includes(name) &&
      !connectionOptions.includes(name) &&
      // Many servers treat X_Forwarded_For as X-Forwarded-For.
      !name.includes('_') &&
      (isTrusted || !proxyClaims.test(name)))
  return {
    'x-forwarded-host': headers.host ?? '',
    'x-forwarded-proto': 'http',
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => isForwarded(name))),
    'x-forwarded-for': address,
    'x-request-id': requestId,
  }
}
