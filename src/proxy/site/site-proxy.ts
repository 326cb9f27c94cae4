import { Agent as HttpAgent, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createProxyServer } from 'http-proxy'

const connectMs = 1_000
/** How long the other server may send nothing. */
const silenceMs = 30_000
const idleMs = 15_000

/** The server of the site does not answer. */
export class SiteFault extends Error {
  override name = 'SiteFault'
}

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
   * Forwards a request and its answer. A key is not forwarded. @throws {SiteFault} there is no
   * answer
   */
  forward(
    req: IncomingMessage,
    res: ServerResponse,
    client: { address: string; requestId: string },
  ): Promise<void> {
    const { headers } = req
    for (const name of ['authorization', 'proxy-authorization', 'forwarded']) delete headers[name]
    headers['x-forwarded-for'] = client.address
    headers['x-forwarded-host'] = headers.host ?? ''
    headers['x-request-id'] = client.requestId
    return new Promise((resolve, reject) => {
      res.on('close', resolve)
      this.#proxy.web(req, res, {}, (error) =>
        reject(new SiteFault(`the site cannot be reached: ${(error as Error).message}`)),
      )
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
