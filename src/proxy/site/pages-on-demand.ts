import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { siteServerPath } from '#release/site-files.ts'
import type { SignUpOutcome } from '#metering/sign-up.ts'
import type { Site } from './site.ts'
import { pageFields } from './answer.ts'
import { isCrossOrigin } from './cross-origin.ts'

/** What a page that is rendered on demand is given: `Astro.locals`. */
export interface PageLocals {
  /** Makes an account with a trial key, for the client that asks. */
  signUp(account: string): Promise<SignUpOutcome>
  /** The form comes from a page of another origin: it is not heeded. */
  isForeignForm: boolean
}

type Middleware = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
  locals: PageLocals,
) => Promise<void> | void

/** The longest form that is read. */
const maxFormBytes = 16 * 1024

/** The pages that Astro renders for each request, through the program that the build put beside the site. */
export class PagesOnDemand {
  readonly #folder: string
  readonly #signUp: (account: string, address: string) => Promise<SignUpOutcome>
  #source = ''
  #middleware: Promise<Middleware> | undefined

  /** @param folder the published tree on this machine */
  constructor(folder: string, signUp: (account: string, address: string) => Promise<SignUpOutcome>) {
    this.#folder = folder
    this.#signUp = signUp
  }

  /** Renders the page. `address` is whose day's sign-ups a form spends. @throws {Error} the program cannot be loaded, or fails */
  async answer(req: IncomingMessage, res: ServerResponse, site: Site, address: string): Promise<void> {
    for (const [name, value] of pageFields(site.policy)) res.setHeader(name, value)
    res.setHeader('Cache-Control', 'no-store')
    const fault = req.method === 'POST' ? formFault(req.headers) : null
    if (fault) {
      res.writeHead(fault.status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
      res.end(fault.message)
      return
    }
    const middleware = await this.#load(site)
    const locals: PageLocals = {
      signUp: (account) => this.#signUp(account, address),
      isForeignForm: req.method === 'POST' && isCrossOrigin(req.headers),
    }
    await new Promise<void>((done, fail) => {
      res.on('close', done)
      const next = (error?: unknown) =>
        fail(error instanceof Error ? error : new Error(`the site has no page at ${req.url}`))
      Promise.resolve(middleware(req, res, next, locals)).then(done, fail)
    })
  }

  /** The program of the site in service: loaded at the first request, and anew with every new site. */
  #load({ source }: Site): Promise<Middleware> {
    if (this.#middleware && this.#source === source) return this.#middleware
    this.#source = source
    const entry = pathToFileURL(join(this.#folder, siteServerPath, 'entry.mjs'))
    const loaded = import(`${entry.href}?${source}`) as Promise<{ handler: Middleware }>
    this.#middleware = loaded.then(({ handler }) => handler)
    this.#middleware.catch(() => (this.#middleware = undefined))
    return this.#middleware
  }
}

/** What stands in the way of reading a form; null where nothing does. One without a length would have to be read to be known (RFC 9110 section 15.5.12). */
function formFault(headers: IncomingHttpHeaders): { status: number; message: string } | null {
  if (headers['transfer-encoding'] !== undefined)
    return { status: 411, message: 'The form must have a Content-Length.\n' }
  const sizeBytes = Number(headers['content-length'] ?? 0)
  return sizeBytes > maxFormBytes ? { status: 413, message: 'The form is too large.\n' } : null
}
