import { randomUUID } from 'node:crypto'
import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { WindowState } from '#metering/store.ts'
import { addressSubject } from './address-window.ts'
import { unreadRequest } from './answered-request.ts'
import { connectionLimits, Connections, type ConnectionLimits } from './connections.ts'
import type { Dependencies } from './dependencies.ts'
import { handle } from './handle.ts'
import { describeFault, sendRawError, type Fault, type ParseError } from './parse-error.ts'
import { tooManyConnections } from './refusals.ts'
import { failBody } from './request-body.ts'
import { maxHeadersBytes, maxRequestLineBytes, requestLineTooLong } from './size-limits.ts'

/**
 * How long to wait for the rest of a request that is too large, if only the rest shows which part
 * is.
 */
const oversizeWaitMs = 1_000

/** An HTTP server and its connections. */
interface ProxyServer {
  server: Server
  connections: Connections
}

/** The HTTP server of the proxy. It does not listen yet. */
export function createProxyServer(
  dependencies: Dependencies,
  limits: Partial<ConnectionLimits> = {},
): ProxyServer {
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
  const refuser = new Refuser(dependencies, (socket) => connections.responseOf(socket), allLimits.lingerMs)
  const connections = new Connections(server, allLimits, (socket) => refuser.turnAway(socket))
  const answer = (req: IncomingMessage, res: ServerResponse) =>
    connections.inTurn(req.socket, res, () => handle(req, res, dependencies))
  server.on('request', answer)
  server.on('checkExpectation', answer)
  server.on('connect', (req, socket: Socket) => {
    const res = prepareConnect(req, socket, allLimits.lingerMs)
    connections.inTurn(socket, res, () => {
      res.assignSocket(socket)
      handle(req, res, dependencies)
    })
  })
  server.on('clientError', (error: ParseError, socket: Socket) => refuser.refuse(error, socket))
  return { server, connections }
}

/** Answers bytes that Node cannot read as a request, once on each connection, and closes it. */
class Refuser {
  readonly #dependencies: Dependencies
  readonly #responseOf: Connections['responseOf']
  readonly #lingerMs: number
  readonly #refused = new WeakSet<Socket>()

  constructor(dependencies: Dependencies, responseOf: Connections['responseOf'], lingerMs: number) {
    this.#dependencies = dependencies
    this.#responseOf = responseOf
    this.#lingerMs = lingerMs
  }

  refuse(error: ParseError, socket: Socket): void {
    if (this.#refused.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const response = this.#responseOf(socket)
    if (response && failBody(response.req, error)) return
    const fault = describeFault(error)
    if (fault) this.#answerLast(socket, fault)
    else setTimeout(() => this.#answerLast(socket, { error: requestLineTooLong }), oversizeWaitMs).unref()
  }

  /** Answers a connection that is one too many. */
  turnAway(socket: Socket): void {
    this.#refused.add(socket)
    // What it sends is not read, and a reset must not end the process.
    socket.on('error', () => socket.destroy())
    void this.#answer(socket, { error: tooManyConnections })
  }

  /** Answers the fault after the requests before it. */
  #answerLast(socket: Socket, fault: Fault): void {
    if (this.#refused.has(socket)) return
    this.#refused.add(socket)
    const pending = this.#responseOf(socket)
    if (pending && !pending.closed) pending.once('close', () => void this.#answer(socket, fault))
    else void this.#answer(socket, fault)
  }

  async #answer(socket: Socket, { error, forwardedFor }: Fault): Promise<void> {
    const { onAnswered, siteUrl } = this.#dependencies
    const window = forwardedFor === undefined ? null : await this.#windowOf(socket, forwardedFor)
    if (!socket.writable) return void socket.destroy()
    const requestId = randomUUID()
    const { status, code } = error
    onAnswered?.(unreadRequest({ requestId, status, code, client: socket.remoteAddress ?? '' }))
    sendRawError(socket, error, window, requestId, this.#lingerMs, siteUrl())
  }

  /** The window of a client whose bytes are not a request; null if it is unknown. */
  async #windowOf(socket: Socket, forwardedFor: string | null): Promise<WindowState | null> {
    const subject = addressSubject(this.#dependencies, socket.remoteAddress, forwardedFor ?? undefined)
    const decision = await this.#dependencies.counters.peek(subject).catch(() => null)
    return decision && decision.outcome !== 'unknown_key' ? decision.window : null
  }
}

/**
 * CONNECT comes with a bare socket: it has no response, and without a listener for errors a reset
 * would end the process. Its client may leave its own side open, so the connection is closed some
 * time after the answer.
 */
function prepareConnect(req: IncomingMessage, socket: Socket, lingerMs: number): ServerResponse {
  socket.on('error', () => socket.destroy())
  socket.resume()
  const res = new ServerResponse(req)
  res.shouldKeepAlive = false
  res.on('finish', () => {
    socket.end()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  })
  return res
}
