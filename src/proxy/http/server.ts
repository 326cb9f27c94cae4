import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorAnswer } from '#contract/errors.ts'
import { connectionLimits, Connections, type ConnectionLimits } from './connections.ts'
import type { Dependencies } from './exchange.ts'
import { handle } from './handle.ts'
import { brokenBody, describeFault, unknownMethod, type ParseError } from './parse-error.ts'
import { maxHeadersBytes, maxRequestLineBytes, requestLineTooLong, tooManyConnections } from './refusals.ts'

/**
 * The time to wait for the rest of a request that is too large, if only the rest shows which part
 * is.
 */
const oversizeWaitMs = 1_000

/** Creates the HTTP server of the proxy, which does not listen yet, and its connections. */
export function createProxyServer(dependencies: Dependencies, limits: Partial<ConnectionLimits> = {}) {
  const server = createServer({
    // Node's limit includes the request line. A request between the service's limits and this one
    // gets a response with its window.
    maxHeaderSize: maxRequestLineBytes + maxHeadersBytes + 8 * 1024,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
    // A request without a body needs no stream for it, which is a tenth of what Node spends on a
    // request.
    optimizeEmptyRequests: true,
  })
  // Headers are limited by size, because Node would silently drop headers above a number.
  server.maxHeadersCount = 0
  const allLimits = { ...connectionLimits, ...limits }
  /** The connections whose last response was or will be sent. */
  const last = new WeakSet<Socket>()
  /**
   * Answers bytes for which Node creates no response, after the earlier requests, and closes the
   * connection. For `lingerMs`, further bytes from the client are read and dropped, because a reset
   * could overtake the response (RFC 9112 section 9.6).
   *
   * @param fault the error for a request that could not be read
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
  /** Calls `end` after the responses in progress, and prevents responses to later faults. */
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
    if (latest && !latest.req.complete) {
      if (latest.req.emit(brokenBody, error)) return
      // A fault in a body that nobody reads: its request already has a response, and gets no second
      // one.
      return endAfterResponses(socket, () => endAndLinger(socket))
    }
    const req = new IncomingMessage(socket)
    const head = unknownMethod(error)
    if (head) return answerLast(socket, Object.assign(req, head))
    const fault = describeFault(error)
    if (fault) answerLast(socket, req, fault)
    else setTimeout(() => answerLast(socket, req, requestLineTooLong), oversizeWaitMs).unref()
  })
  return { server, connections }
}
