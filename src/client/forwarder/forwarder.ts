import { paths, queryParameters, type OperationId } from '../operations.ts'
import { ClientWindows } from './client-windows.ts'

/** The options of a forwarder. */
export interface ForwarderOptions {
  /** The base of the API, such as `https://clips.example/v1`. */
  baseUrl: string
  /** The API key, which no client sees. */
  key: string
  /** The path at which the forwarder is mounted, such as `/api`. */
  prefix?: string | undefined
  /** The operations that clients can call: all but `getUsage` and `getOpenApi` by default. */
  operations?: readonly OperationId[] | undefined
  /** The requests that each client can send per minute, 60 by default. */
  perMinute?: number | undefined
  /** Sends the requests, in place of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

/** Answers a request of a client, which is identified by its address. */
export type Forwarder = (request: ForwardedRequest, client: string) => Promise<Response>

/** The parts of a request that a forwarder reads. */
export interface ForwardedRequest {
  method: string
  url: string
  headers: Pick<Headers, 'get'>
}

const timeoutMs = 30_000
const forwardedHeaders = ['Content-Type', 'Cache-Control', 'ETag', 'Retry-After', 'X-Request-Id']
const privateOperations: readonly OperationId[] = ['getUsage', 'getOpenApi']

/** Returns a function that passes requests on to the API, with the key and within limits. */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const { baseUrl, key, prefix = '', perMinute = 60, fetch = globalThis.fetch } = options
  const allIds = Object.keys(paths) as OperationId[]
  const ids = options.operations ?? allIds.filter((id) => !privateOperations.includes(id))
  const routes = ids.map((id) => ({ id, pattern: new RegExp(`^${paths[id].replace(/\{\w+\}/g, '[^/]+')}$`) }))
  const windows = new ClientWindows(perMinute)

  return async (request, client) => {
    const { pathname, search, searchParams } = new URL(request.url, 'http://forwarder')
    if (!/^(GET|HEAD)$/.test(request.method))
      return refusal(405, 'method_not_allowed', 'Use GET or HEAD.', { headers: { Allow: 'GET, HEAD' } })
    const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : ''
    const route = routes.find(({ pattern }) => pattern.test(path))
    if (!route) return refusal(404, 'not_found', `This server does not pass on ${pathname}.`)
    const window = windows.consume(client)
    if (window.retryAfter > 0)
      return refusal(429, 'rate_limited', `You can send ${perMinute} requests per minute.`, window)
    const unknown = [...searchParams.keys()].find((name) => !queryParameters[route.id].includes(name))
    if (unknown !== undefined)
      return refusal(400, 'invalid_parameter', `There is no parameter "${unknown}".`, {
        ...window,
        parameter: unknown,
      })
    const headers = { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' }
    const etag = request.headers.get('If-None-Match')
    try {
      const response = await fetch(baseUrl.replace(/\/$/, '') + path + search, {
        headers: etag === null ? headers : { ...headers, 'If-None-Match': etag },
        method: request.method,
        signal: AbortSignal.timeout(timeoutMs),
      })
      // The client did not send the key, so it cannot correct it.
      if (response.status === 401)
        return refusal(500, 'internal', 'The key of this server is not valid.', window)
      const responseHeaders = forwardedHeaders.flatMap((name): [string, string][] => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, value]]
      })
      const { status } = response
      const body = status === 304 || request.method === 'HEAD' ? null : await response.arrayBuffer()
      return new Response(body, { status, headers: [...responseHeaders, ...Object.entries(window.headers)] })
    } catch {
      return refusal(503, 'unavailable', 'The API cannot be reached.', window)
    }
  }
}

/** Returns an error in the form of the API. */
function refusal(
  status: number,
  code: string,
  message: string,
  { headers, ...details }: { headers?: Record<string, string>; retryAfter?: number; parameter?: string } = {},
): Response {
  const retryAfter = details.retryAfter || undefined
  const body = JSON.stringify({ error: { code, message, ...details, retryAfter } })
  const type = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }
  const wait: Record<string, string> = retryAfter ? { 'Retry-After': String(retryAfter) } : {}
  return new Response(body, { status, headers: { ...type, ...wait, ...headers } })
}
