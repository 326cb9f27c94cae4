import { createForwarder, type ForwarderOptions } from './forwarder.ts'

/** The parts of a request of node:http or Express that are read. */
export interface NodeRequest {
  method?: string | undefined
  url?: string | undefined
  headers: Record<string, string | string[] | undefined>
  socket: { remoteAddress?: string | undefined }
  /** The client's address by the `trust proxy` setting of Express. */
  ip?: string | undefined
}

/** The parts of a response of node:http or Express that are used. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body?: Uint8Array): unknown
}

/** The parts of a context of Hono that are read. */
export interface HonoContext {
  req: { raw: Request }
  env?: unknown
}

/** Identifies the client of a request, for example by an address that your own proxy has added. */
export type ClientOf<Source> = (source: Source) => string

/**
 * Returns a forwarder as a handler of node:http, or for `app.use('/api', …)` of Express. Express
 * removes the mount path from requests, so it needs no `prefix`.
 */
export function nodeHandler<Source extends NodeRequest>({
  clientOf = ({ ip, socket }) => ip ?? socket.remoteAddress ?? '',
  ...options
}: ForwarderOptions & { clientOf?: ClientOf<Source> | undefined }): (
  request: Source,
  response: NodeResponse,
) => Promise<void> {
  const forward = createForwarder(options)
  return async (request, response) => {
    const { method = '', url = '', headers } = request
    const get = (name: string) => headers[name.toLowerCase()]?.toString() ?? null
    // Otherwise, a target such as //host would be read as the address of a server.
    const target = `http://forwarder/${url.replace(/^\/+/, '')}`
    const answer = await forward({ method, url: target, headers: { get } }, clientOf(request))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(new Uint8Array(await answer.arrayBuffer()))
  }
}

/** The same handler under the name of the framework. */
export const expressHandler: typeof nodeHandler = nodeHandler

/**
 * Returns a forwarder as a handler of Hono, for `app.all('/api/*', …)` with `prefix: '/api'`. On
 * Node, clients are identified by their addresses; elsewhere, set `clientOf`.
 */
export function honoHandler<Context extends HonoContext>({
  clientOf = addressInEnv,
  ...options
}: ForwarderOptions & { clientOf?: ClientOf<Context> | undefined }): (context: Context) => Promise<Response> {
  const forward = createForwarder(options)
  return async (context) => await forward(context.req.raw, clientOf(context))
}

/** Returns the address that @hono/node-server provides. */
function addressInEnv({ env }: HonoContext): string {
  const { incoming } = (env ?? {}) as { incoming?: NodeRequest }
  return incoming?.socket.remoteAddress ?? ''
}
