import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createProxyServer } from 'http-proxy'

const connectMs = 1_000
/** How long the other server may send nothing. */
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
      connectTimeout: connectMs,
      proxyTimeout: silenceMs,
    })
    // http-proxy would leave the client waiting for the rest of a response that was cut off.
    this.#proxy.on('proxyRes', (answer, _req, res) => {
      answer.on('error', () => (res as ServerResponse).destroy())
      answer.on('aborted', () => (res as ServerResponse).destroy())
    })
  }

  /**
   * Forwards a request and its answer, without a key. What a peer says of the client is passed on
   * only if the peer is trusted.
   *
   * @throws {Error} there is no answer
   */
  async forward(
    req: IncomingMessage,
    res: ServerResponse,
    client: { address: string; requestId: string; isTrusted: boolean },
  ): Promise<void> {
    req.headers = forwardedHeaders(req.headers, client)
    await new Promise<void>((resolve, reject) => {
      res.on('close', resolve)
      void this.#proxy.web(req, res, {}, (error) => reject(error as Error))
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** For one connection only (RFC 9110 section 7.6.1), and the key. */
const notForwarded = ['authorization', 'proxy-authorization', 'forwarded', 'keep-alive', 'te', 'upgrade']
/** Where a server in front says who the client is and what it asked for. */
const saidByProxies = /^x-(forwarded|real|original|rewrite|client|cluster)-|-(client|connecting)-ip$/

function forwardedHeaders(
  headers: IncomingHttpHeaders,
  { address, requestId, isTrusted }: { address: string; requestId: string; isTrusted: boolean },
): IncomingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/[\s,]+/)
  const isPassed = (name: string) =>
    !notForwarded.includes(name) && !named.includes(name) && (isTrusted || !saidByProxies.test(name))
  const passed = Object.fromEntries(Object.entries(headers).filter(([name]) => isPassed(name)))
  delete passed.connection
  return {
    'x-forwarded-host': headers.host ?? '',
    'x-forwarded-proto': 'http',
    ...passed,
    'x-forwarded-for': address,
    'x-request-id': requestId,
  }
}
