import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { toErrorBody, type ErrorAnswer } from '#contract/errors.ts'
import { createHandler, type Parts } from './handle.ts'
import { matchPath } from './match.ts'
import { splitTarget } from './request-target.ts'
import { allowedMethods, everyHeader, jsonType } from './respond.ts'
import { headersTooLarge, maxHeadersBytes, maxRequestLineBytes, requestLineTooLong } from './size-limits.ts'

/** How long a client may take over its headers, and over a whole request. */
const headersTimeoutMs = 10_000
const requestTimeoutMs = 20_000
/** Longer than the idle time of the usual load balancers (60 s), so that they close first. */
const keepAliveTimeoutMs = 65_000

/** The HTTP server of the proxy, not yet listening. */
export function createProxyServer(parts: Parts): Server {
  const handle = createHandler(parts)
  const server = createServer(
    {
      // Node counts the request line in; what is over our own limits but below this gets the answer with its window.
      maxHeaderSize: maxRequestLineBytes + maxHeadersBytes + 8 * 1024,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    (req, res) => void handle(req, res),
  )
  // The headers are bounded by their size; Node would drop what is over a count without a word.
  server.maxHeadersCount = 0
  server.on('checkExpectation', (req, res) => void handle(req, res))
  server.on('connect', (_req, socket: Socket) =>
    answerRaw(socket, {
      status: 404,
      code: 'not_found',
      message: 'this is no tunnel: GET /v1/openapi.json lists the paths',
    }),
  )
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else answerRaw(socket, faultOf(error))
  })
  return server
}

/** What is wrong with bytes that could not be read as a request. */
function faultOf({ code, rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer }): ErrorAnswer {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return badRequest(408, 'the request did not arrive in time')
  if (code === 'HPE_HEADER_OVERFLOW') return isLongLine(rawPacket) ? requestLineTooLong : headersTooLarge
  const [, method, target] =
    /^([!#$%&'*+.^_`|~\w-]+) (\/\S*) HTTP\/1\.[01]\r?\n/.exec(rawPacket?.toString('latin1') ?? '') ?? []
  if (code !== 'HPE_INVALID_METHOD' || target === undefined)
    return badRequest(400, 'what arrived is no HTTP/1.1 request')
  return matchPath(splitTarget(target).path)
    ? {
        status: 405,
        code: 'method_not_allowed',
        message: `${method} is not allowed here: use ${allowedMethods}`,
      }
    : {
        status: 404,
        code: 'not_found',
        message: 'there is nothing at this path: GET /v1/openapi.json lists the paths',
      }
}

function badRequest(status: number, message: string): ErrorAnswer {
  return { status, code: 'bad_request', message }
}

function isLongLine(packet: Buffer | undefined): boolean {
  const end = packet?.indexOf(10) ?? -1
  return end < 0 || end > maxRequestLineBytes
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
}

/** Answers where there is no request to answer, and closes. */
function answerRaw(socket: Socket, error: ErrorAnswer): void {
  const body = JSON.stringify(toErrorBody(error))
  const headers = {
    ...everyHeader,
    ...(error.status === 405 ? { Allow: allowedMethods } : {}),
    'Cache-Control': 'no-store',
    'Content-Type': jsonType,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${error.status} ${reasons[error.status]}\r\n${lines.join('')}\r\n${body}`)
}
