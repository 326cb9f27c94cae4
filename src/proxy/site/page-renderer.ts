import { existsSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LRUCache } from 'lru-cache'
import type { RenderedPages } from '#contract/rendered-pages.ts'
import { collectEarly } from '#kit/collect-garbage.ts'
import type { Tree } from '#release/tree.ts'
import { payloadOf, type Payload } from '../http/body.ts'

/** The exports of the site's server part: `@astrojs/node` in `middleware` mode. */
type Handler = (
  req: IncomingMessage,
  res: ServerResponse,
  next: () => void,
  locals: { page: unknown },
) => Promise<void>

/** Whether the proxy renders the page at a path. */
export function isRendered(path: string): path is keyof RenderedPages {
  return path === '/signup/' || path === '/key/'
}

const atOnce = 2

/**
 * The share of the time for renderings, which delay all other requests of the process. A second of
 * rendering may be used at once.
 */
const timeShare = 0.1
const mostCreditMs = 1_000

/** The number of pages to keep. Refusals are a dozen pages; few others are requested again. */
const mostKept = 32

/**
 * Renders the pages of the site that depend on a request: at most two at once in a process, and in
 * at most a tenth of its time.
 *
 * A rendering leaves 0.35 MB in the old generation of the heap: V8 allocates functions there that
 * are assigned to a property, as zod and `Request` do, and what they reference stays until the
 * whole heap is collected. So pages with the same content are rendered once, unless they have a new
 * key.
 *
 * Of a client's request, only the shown values reach the renderer, which gets its own request.
 */
export class PageRenderer {
  readonly #handler: Handler
  readonly #pages = new LRUCache<string, Payload, unknown>({
    max: mostKept,
    fetchMethod: (key, _, { context }) => this.#render(key.split(' ')[0]!, context),
  })
  #busy = 0
  #creditMs = mostCreditMs
  #atMs = performance.now()

  constructor(handler: Handler) {
    this.#handler = handler
  }

  /**
   * Imports the server part of a site. Returns null for a tree that is not on this machine, or was
   * copied without its private folder.
   */
  static async load({ folder }: Tree, server: string): Promise<PageRenderer | null> {
    const file = folder === undefined ? null : resolve(folder, server)
    if (file === null || !existsSync(file)) return null
    collectEarly(50)
    const before = new Set(process.listeners('unhandledRejection'))
    const { handler } = (await import(pathToFileURL(file).href)) as { handler: Handler }
    // The adapter would suppress every rejection in this process.
    for (const listener of process.listeners('unhandledRejection'))
      if (!before.has(listener)) process.off('unhandledRejection', listener)
    return new PageRenderer(handler)
  }

  /** Whether there is no place for another rendering now. */
  get isBusy(): boolean {
    const nowMs = performance.now()
    this.#creditMs = Math.min(mostCreditMs, this.#creditMs + (nowMs - this.#atMs) * timeShare)
    this.#atMs = nowMs
    return this.#busy === atOnce || this.#creditMs <= 0
  }

  /**
   * Does work that ends with a page, with a place reserved for the page. If no place is free,
   * returns null without starting the work.
   */
  async use<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.isBusy) return null
    this.#busy++
    try {
      return await work()
    } finally {
      this.#busy--
    }
  }

  /** Returns a page with its values; without any, it is an empty form. */
  page(path: keyof RenderedPages, page: RenderedPages[keyof RenderedPages]): Promise<Payload> {
    if ('newKey' in page) return this.#render(path, page)
    return this.#pages.forceFetch(`${path} ${JSON.stringify(page)}`, { context: page })
  }

  async #render(path: string, page: unknown): Promise<Payload> {
    const startedMs = performance.now()
    const req = new IncomingMessage(new Socket())
    Object.assign(req, { method: 'GET', url: path, headers: { host: 'site' } })
    const res = new ServerResponse(req)
    const chunks: Uint8Array[] = []
    // The response is kept, not sent.
    Object.assign(res, {
      writeHead: (status: number) => Object.assign(res, { statusCode: status }),
      write: (chunk: Uint8Array | string) => chunks.push(Buffer.from(chunk)),
      end: () => res,
    })
    // Until its response is closed, the adapter keeps the request and the page, 90 KB for each.
    await this.#handler(req, res, () => res.end(), { page }).finally(() => {
      res.emit('close')
      this.#creditMs -= performance.now() - startedMs
    })
    if (res.statusCode !== 200) throw new Error(`the site rendered ${path} with status ${res.statusCode}`)
    return payloadOf(Buffer.concat(chunks))
  }
}
