import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { cacheClasses } from '#contract/cache-classes.ts'
import { toErrorBody, type ErrorAnswer } from '#contract/errors.ts'
import { quoteValue } from '#contract/parameters.ts'
import { createHandler, type Parts } from './handle.ts'
import { matchPath } from './match.ts'
import { splitTarget } from './request-target.ts'
import { allowedMethods, everyField, jsonType } from './respond.ts'
import { headersTooLarge, maxHeadersBytes, maxRequestLineBytes, requestLineTooLong } from './size-limits.ts'

/** How long a client may take over its headers, and over a whole request. */
const headersTimeoutMs = 10_000
const requestTimeoutMs = 20_000
/** Longer than the idle time of the usual load balancers (60 s), so that they close first. */
const keepAliveTimeoutMs = 65_000

/** How long a client that was refused may go on sending. */
const lingerMs = 2_000

/** How long the rest of a request that is too large is waited for, where only that tells which part of it is. */
const patienceMs = 1_000

/** The HTTP server of the proxy, not yet listening. */
export function createProxyServer(parts: Parts): Server {
  const handle = createHandler(parts)
  const lastResponse = new WeakMap<Socket, ServerResponse>()
  /** Sockets that brought no request. What else they bring is read and dropped, or a reset would overtake the answer (RFC 9112 section 9.6). */
  const refused = new WeakSet<Socket>()
  const answer = (req: IncomingMessage, res: ServerResponse) => {
    lastResponse.set(req.socket, res)
    handle(req, res)
  }
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
    answer,
  )
  // The headers are bounded by their size; Node would drop what is over a count without a word.
  server.maxHeadersCount = 0
  server.on('checkExpectation', answer)
  server.on('connect', (_req, socket: Socket) =>
    answerRaw(socket, {
      status: 404,
      code: 'not_found',
      message: 'this is no tunnel: GET /v1/openapi.json lists the paths',
    }),
  )
  const refuse = (socket: Socket, error: ErrorAnswer) => {
    if (refused.has(socket)) return
    refused.add(socket)
    const send = () => (socket.writable ? answerRaw(socket, error) : socket.destroy())
    // What came before the fault is answered before it.
    const before = lastResponse.get(socket)
    if (before && !before.closed) before.once('close', send)
    else send()
  }
  server.on('clientError', (error: ParseError, socket: Socket) => {
    if (refused.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const fault = faultOf(error)
    if (fault) refuse(socket, fault)
    else setTimeout(() => refuse(socket, requestLineTooLong), patienceMs).unref()
  })
  return server
}

/** How Node tells that bytes are no request: `bytesParsed` of the last packet were still fine. */
type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }

/** What is wrong with bytes that could not be read as a request; null where what follows must tell. */
function faultOf({ code, rawPacket, bytesParsed = 0 }: ParseError): ErrorAnswer | null {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return badRequest(408, 'the request did not arrive in time')
  if (code === 'HPE_HEADER_OVERFLOW') return tooLarge(rawPacket?.toString('latin1') ?? '')
  const [, method = '', target] =
    /^([!#$%&'*+.^_`|~\w-]+) (\/\S*) HTTP\/1\.[01]\r?\n/.exec(rawPacket?.toString('latin1') ?? '') ?? []
  if (code !== 'HPE_INVALID_METHOD' || target === undefined || bytesParsed > method.length)
    return badRequest(400, 'what arrived is no HTTP/1.1 request')
  return matchPath(splitTarget(target).path)
    ? {
        status: 405,
        code: 'method_not_allowed',
        message: `${quoteValue(method)} is not allowed here: use ${allowedMethods}`,
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

/** Which part is too large, by a packet from the one on in which it became so; null where it might be a piece of either. */
function tooLarge(packet: string): ErrorAnswer | null {
  if (/^[A-Z-]+ (\/|http)/.test(packet))
    return packet.slice(0, maxRequestLineBytes + 2).includes('\n') ? headersTooLarge : requestLineTooLong
  if (!/\s/.test(packet)) return null
  return /^\S* HTTP\/1\.[01]\s?$/m.test(packet) ? requestLineTooLong : headersTooLarge
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
  const fields = [
    ...everyField,
    ...(error.status === 405 ? ['Allow', allowedMethods] : []),
    ...['Cache-Control', cacheClasses.never],
    ...['Content-Type', jsonType],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['Connection', 'close'],
  ]
  const lines = fields.map((part, i) => (i % 2 === 0 ? `${part}: ` : `${part}\r\n`))
  socket.end(`HTTP/1.1 ${error.status} ${reasons[error.status]}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
