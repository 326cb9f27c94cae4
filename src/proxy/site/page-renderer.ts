import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { RenderedPages } from '#contract/rendered-pages.ts'

/** What the server part of the site exports: `@astrojs/node` in `middleware` mode. */
type Handler = (
  req: IncomingMessage,
  res: ServerResponse,
  next: () => void,
  locals: { page: unknown },
) => Promise<void>

/** Renders a page. */
export type RenderPage = <Path extends keyof RenderedPages>(
  path: Path,
  page: RenderedPages[Path],
) => Promise<string>

const paths: ReadonlySet<string> = new Set(['/signup/', '/key/'] satisfies (keyof RenderedPages)[])

/** Whether the proxy renders the page at a path. */
export function isRendered(path: string): path is keyof RenderedPages {
  return paths.has(path)
}

const atOnce = 2

/**
 * A rendering holds up all other requests of the process. In the long run it may take a tenth of
 * the time; a second of it, some hundred pages, can be had at once.
 */
const timeShare = 0.1
const mostCreditMs = 1_000

/**
 * Renders the pages of the site that depend on a request, at most two at once in a process, and for
 * a tenth of its time.
 *
 * Clients do not choose what is rendered: the renderer gets a request of its own, and only the
 * values to show come from theirs.
 */
export class PageRenderer {
  readonly #handler: Handler
  readonly #forms = new Map<keyof RenderedPages, Promise<string>>()
  #busy = 0
  #creditMs = mostCreditMs
  #atMs = performance.now()

  constructor(handler: Handler) {
    this.#handler = handler
  }

  /** Imports the server part of a site, a module on disk. */
  static async load(url: string): Promise<PageRenderer> {
    const before = new Set(process.listeners('unhandledRejection'))
    const { handler } = (await import(url)) as { handler: Handler }
    // The adapter would swallow every rejection of this process.
    for (const listener of process.listeners('unhandledRejection'))
      if (!before.has(listener)) process.off('unhandledRejection', listener)
    return new PageRenderer(handler)
  }

  /** The page with an empty form, rendered once: anybody can ask for it, and often. */
  async form(path: keyof RenderedPages): Promise<string> {
    try {
      return await this.#forms.getOrInsertComputed(path, () => this.#render(path, {}))
    } catch (error) {
      this.#forms.delete(path)
      throw error
    }
  }

  /**
   * Does work that ends with a page, while a place is kept for it. Returns null, and does not
   * begin, if there is none.
   */
  async use<T>(work: (render: RenderPage) => Promise<T>): Promise<T | null> {
    const nowMs = performance.now()
    this.#creditMs = Math.min(mostCreditMs, this.#creditMs + (nowMs - this.#atMs) * timeShare)
    this.#atMs = nowMs
    if (this.#busy === atOnce || this.#creditMs <= 0) return null
    this.#busy++
    try {
      return await work(async (path, page) => {
        const startedMs = performance.now()
        return await this.#render(path, page).finally(() => {
          this.#creditMs -= performance.now() - startedMs
        })
      })
    } finally {
      this.#busy--
    }
  }

  async #render(path: string, page: unknown): Promise<string> {
    const req = new IncomingMessage(new Socket())
    Object.assign(req, { method: 'GET', url: path, headers: { host: 'site' } })
    const res = new KeptResponse(req)
    // Until its response is closed, the adapter keeps the request and the page: 90 KB for each.
    await this.#handler(req, res, () => res.end(), { page }).finally(() => res.emit('close'))
    if (res.statusCode !== 200) throw new Error(`the site rendered ${path} with status ${res.statusCode}`)
    return Buffer.concat(res.chunks).toString()
  }
}

/** A response whose body is kept, not sent. */
class KeptResponse extends ServerResponse {
  readonly chunks: Uint8Array[] = []

  override writeHead(status: number): this {
    this.statusCode = status
    return this
  }

  override write(chunk: Uint8Array | string): boolean {
    this.chunks.push(Buffer.from(chunk))
    return true
  }

  override end(): this {
    return this
  }
}
