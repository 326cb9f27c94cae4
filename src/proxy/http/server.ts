import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorAnswer } from '#contract/errors.ts'
import { createHandler, type Parts } from './handle.ts'
import { maxHeadersBytes, maxRequestLineBytes, requestLineTooLong } from './size-limits.ts'
import { answerRaw, faultOf, type ParseError } from './unparsed.ts'

/** How long a client may take over its headers, and over a whole request. */
const headersTimeoutMs = 10_000
const requestTimeoutMs = 20_000
/** Longer than the idle time of the usual load balancers (60 s), so that they close first. */
const keepAliveTimeoutMs = 65_000

/** How long the rest of a request that is too large is waited for, where only that tells which part of it is. */
const patienceMs = 1_000

/** The HTTP server of the proxy, not yet listening. */
export function createProxyServer(parts: Parts): Server {
  const handle = createHandler(parts)
  /** The last response on each socket: what came before a fault is answered before it. */
  const lastResponse = new WeakMap<Socket, ServerResponse>()
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
  server.on('connect', (req, socket: Socket) => answerConnect(req, socket, answer))
  const refused = new WeakSet<Socket>()
  const refuse = (socket: Socket, error: ErrorAnswer) => {
    if (refused.has(socket)) return
    refused.add(socket)
    const send = () => (socket.writable ? answerRaw(socket, error) : socket.destroy())
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

/** CONNECT comes with a bare socket, without a response and without a listener for its errors: a reset would end the process. */
function answerConnect(
  req: IncomingMessage,
  socket: Socket,
  answer: (req: IncomingMessage, res: ServerResponse) => void,
): void {
  socket.on('error', () => socket.destroy())
  socket.resume()
  const res = new ServerResponse(req)
  res.shouldKeepAlive = false
  res.assignSocket(socket)
  res.on('finish', () => socket.end())
  answer(req, res)
}
