import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorAnswer } from '#contract/errors.ts'
import { connectionLimits, Connections, type ConnectionLimits } from './connections.ts'
import type { Dependencies } from './exchange.ts'
import { handle } from './handle.ts'
import { brokenBody, describeFault, unknownMethod, type ParseError } from './parse-error.ts'
import { maxHeadersBytes, maxRequestLineBytes, requestLineTooLong, tooManyConnections } from './refusals.ts'

/**
 * How long to wait for the rest of a request that is too large, if only the rest shows which part
 * is.
 */
const oversizeWaitMs = 1_000

/** The HTTP server of the proxy, which does not listen yet, and its connections. */
export function createProxyServer(dependencies: Dependencies, limits: Partial<ConnectionLimits> = {}) {
  const server = createServer({
    // Node's limit includes the request line. A request over our own limits but below this gets an
    // answer with its window.
    maxHeaderSize: maxRequestLineBytes + maxHeadersBytes + 8 * 1024,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
    // A request without a body needs no stream for one: a tenth of what Node spends on a request.
    optimizeEmptyRequests: true,
  })
  // The headers are limited by size. Node would silently drop headers over a count.
  server.maxHeadersCount = 0
  const allLimits = { ...connectionLimits, ...limits }
  /** The connections whose last answer was given, or will be. */
  const last = new WeakSet<Socket>()
  /**
   * Answers what Node gives no response to, after the requests before it, and closes the
   * connection. What the client still sends is read and dropped for `lingerMs`, because a reset
   * could overtake the answer (RFC 9112 section 9.6).
   *
   * @param fault what is wrong with a request that could not be read
   */
  const answerLast = (socket: Socket, req: IncomingMessage, fault?: ErrorAnswer) => {
    endAfterResponses(socket, () => {
      if (!socket.writable) return void socket.destroy()
      socket.resume()
      const res = new ServerResponse(req)
      res.shouldKeepAlive = false
      res.assignSocket(socket)
      res.on('finish', () => {
        res.detachSocket(socket)
        res.emit('close')
        endAndLinger(socket)
      })
      handle(req, res, dependencies, fault)
    })
  }
  /** Calls `end` after the responses in progress, and lets no later fault get a response. */
  const endAfterResponses = (socket: Socket, end: () => void) => {
    if (last.has(socket)) return
    last.add(socket)
    const pending = connections.responseOf(socket)
    if (pending && !pending.closed) pending.once('close', end)
    else end()
  }
  const endAndLinger = (socket: Socket) => {
    socket.end()
    setTimeout(() => socket.destroy(), allLimits.lingerMs).unref()
  }
  const connections = new Connections(server, allLimits, (socket) => {
    socket.on('error', () => socket.destroy())
    answerLast(socket, new IncomingMessage(socket), tooManyConnections)
  })
  const answer = (req: IncomingMessage, res: ServerResponse) =>
    connections.inTurn(req.socket, res, () => handle(req, res, dependencies))
  server.on('request', answer)
  server.on('checkExpectation', answer)
  server.on('connect', (req, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    answerLast(socket, req)
  })
  server.on('clientError', (error: ParseError, socket: Socket) => {
    if (last.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const latest = connections.responseOf(socket)
    if (latest?.req.emit(brokenBody, error)) return
    // A fault in a body that nobody reads: its request has a response, and gets no second one.
    if (latest && !latest.req.complete) return endAfterResponses(socket, () => endAndLinger(socket))
    const req = new IncomingMessage(socket)
    const head = unknownMethod(error)
    if (head) return answerLast(socket, Object.assign(req, head))
    const fault = describeFault(error)
    if (fault) answerLast(socket, req, fault)
    else setTimeout(() => answerLast(socket, req, requestLineTooLong), oversizeWaitMs).unref()
  })
  return { server, connections }
}
