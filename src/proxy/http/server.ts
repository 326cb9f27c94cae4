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
 * of the request is too large.
 */
const oversizeWaitMs = 1_000

/** The HTTP server of the proxy, which does not listen yet, and its connections. */
export class ProxyServer {
  readonly server = createServer({
    // Node's limit includes the request line. A request between the service's limits and this one
    // gets a response with its window.
    maxHeaderSize: maxRequestLineBytes + maxHeadersBytes + 8 * 1024,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
    // A request without a body needs no stream, which takes a tenth of the time for a request.
    optimizeEmptyRequests: true,
  })
  readonly connections: Connections
  readonly #dependencies: Dependencies
  readonly #lingerMs: number
  /** The connections whose last response was or will be sent. */
  readonly #ending = new WeakSet<Socket>()

  constructor(dependencies: Dependencies, limits: Partial<ConnectionLimits> = {}) {
    const allLimits = { ...connectionLimits, ...limits }
    this.#dependencies = dependencies
    this.#lingerMs = allLimits.lingerMs
    // Headers are limited by size, because Node would silently drop headers above a number.
    this.server.maxHeadersCount = 0
    this.connections = new Connections(this.server, allLimits, (socket) => {
      dependencies.faultLog.connectionRefused()
      this.#answerOnly(socket, new IncomingMessage(socket), tooManyConnections)
    })
    const answer = (req: IncomingMessage, res: ServerResponse) =>
      this.connections.inTurn(req.socket, res, () => handle(req, res, dependencies))
    this.server.on('request', answer)
    this.server.on('checkExpectation', answer)
    this.server.on('connect', (req, socket: Socket) => this.#answerOnly(socket, req))
    this.server.on('clientError', (error: ParseError, socket: Socket) => this.#answerFault(socket, error))
  }

  /** Answers on a connection for which Node handles no errors, and closes it. */
  #answerOnly(socket: Socket, req: IncomingMessage, fault?: ErrorAnswer): void {
    socket.on('error', () => socket.destroy())
    this.#answerLast(socket, req, fault)
  }

  /** Answers bytes that cannot be read as a request. */
  #answerFault(socket: Socket, error: ParseError): void {
    if (this.#ending.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const latest = this.connections.responseOf(socket)
    if (latest && !latest.req.complete) {
      if (latest.req.emit(brokenBody, error)) return
      // A fault in a body that nobody reads: its request already has a response, and gets no other.
      return this.#endAfterResponses(socket, () => this.#endAndLinger(socket))
    }
    const req = new IncomingMessage(socket)
    const head = unknownMethod(error)
    if (head) return this.#answerLast(socket, Object.assign(req, head))
    const fault = describeFault(error)
    if (fault) this.#answerLast(socket, req, fault)
    else setTimeout(() => this.#answerLast(socket, req, requestLineTooLong), oversizeWaitMs).unref()
  }

  /**
   * Answers bytes for which Node creates no response, after the earlier requests, and closes the
   * connection.
   *
   * @param fault the error for a request that could not be read
   */
  #answerLast(socket: Socket, req: IncomingMessage, fault?: ErrorAnswer): void {
    this.#endAfterResponses(socket, () => {
      if (!socket.writable) return void socket.destroy()
      socket.resume()
      const res = new ServerResponse(req)
      res.shouldKeepAlive = false
      res.assignSocket(socket)
      res.on('finish', () => {
        res.detachSocket(socket)
        res.emit('close')
        this.#endAndLinger(socket)
      })
      handle(req, res, this.#dependencies, fault)
    })
  }

  /** Calls `end` after the responses in progress, and prevents responses to later faults. */
  #endAfterResponses(socket: Socket, end: () => void): void {
    if (this.#ending.has(socket)) return
    this.#ending.add(socket)
    const pending = this.connections.responseOf(socket)
    if (pending && !pending.closed) pending.once('close', end)
    else end()
  }

  /**
   * Ends a connection. For `lingerMs`, further bytes from the client are read and dropped, because
   * a reset could overtake the response (RFC 9112 section 9.6).
   */
  #endAndLinger(socket: Socket): void {
    socket.end()
    setTimeout(() => socket.destroy(), this.#lingerMs).unref()
  }
}
