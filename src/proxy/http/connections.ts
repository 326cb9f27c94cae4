import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { promisify } from 'node:util'

/**
 * How many connections may be open, and how long one may stay in each phase of its life. Every
 * phase has a limit.
 */
export interface ConnectionLimits {
  /** Those that come on top get 503. */
  maxOpen: number
  /** For the head of a request, from the connect or from its first byte. */
  headersMs: number
  /** For a whole request, body included. */
  requestMs: number
  /** From a request until the client has taken its whole answer. */
  answerMs: number
  /** Between an answer and the next request. */
  idleMs: number
  /** For what a client still sends after its connection was refused. */
  lingerMs: number
  /** While the server stops, for a request that is on its way on an idle connection. */
  lastRequestMs: number
  /** For all that is open when the server stops. */
  drainMs: number
}

export const connectionLimits: ConnectionLimits = {
  maxOpen: Infinity,
  headersMs: 10_000,
  requestMs: 20_000,
  answerMs: 60_000,
  // Longer than the idle time of the usual load balancers (60 s), so that they close first.
  idleMs: 65_000,
  lingerMs: 2_000,
  lastRequestMs: 1_000,
  drainMs: 9_500,
}

/** How many connections may be on their way out with a 503. Others are closed without a word. */
const maxTurnedAway = 100

/** How often the answers in progress are checked. */
const checkIntervalMs = 1_000

interface Connection {
  /** The response to the latest request, and when that came; null before the first. */
  response: ServerResponse | null
  requestedAtMs: number
}

/**
 * The open connections of a server, those of CONNECT included, which Node no longer counts as its
 * own.
 *
 * Node bounds the head, the request and the idle time of a connection; this class bounds the rest:
 * an answer that the client does not take, requests sent in a row, and the stop of the server.
 */
export class Connections {
  readonly #server: Server
  readonly #limits: ConnectionLimits
  readonly #turnAway: (socket: Socket) => void
  readonly #open = new Map<Socket, Connection>()
  #turnedAway = 0

  /** @param turnAway answers a connection that is one too many, and closes it */
  constructor(server: Server, limits: ConnectionLimits, turnAway: (socket: Socket) => void) {
    this.#server = server
    this.#limits = limits
    this.#turnAway = turnAway
    server.headersTimeout = limits.headersMs
    server.requestTimeout = limits.requestMs
    server.keepAliveTimeout = limits.idleMs
    server.on('connection', (socket: Socket) => this.#add(socket))
    const interval = Math.min(checkIntervalMs, limits.answerMs / 2)
    const timer = setInterval(() => this.#closeStalled(), interval).unref()
    server.on('close', () => clearInterval(timer))
  }

  /**
   * Calls `answer` once the client has taken the answers to the earlier requests of its connection,
   * and reads nothing more from it meanwhile. A client that sends requests in a row and takes no
   * answers thus makes work for the answers that the kernel buffers, and for no more.
   */
  inTurn(socket: Socket, response: ServerResponse, answer: () => void): void {
    const connection = this.#open.get(socket)
    if (!connection) return
    const earlier = connection.response
    connection.response = response
    connection.requestedAtMs = performance.now()
    if (earlier === null || earlier.writableFinished) return answer()
    socket.pause()
    earlier.once('close', () => {
      if (socket.destroyed) return
      if (connection.response === response) socket.resume()
      answer()
    })
  }

  /** The response to the latest request of a connection; null where it has brought none. */
  responseOf(socket: Socket): ServerResponse | null {
    return this.#open.get(socket)?.response ?? null
  }

  /**
   * Accepts no new connections, lets the requests in progress end, and closes what is left at the
   * limit. No request of a client that keeps sending is lost: its next answer asks it to close.
   */
  async drain(): Promise<void> {
    const server = this.#server
    if (!server.listening) return
    server.prependListener('request', (_req, res: ServerResponse) => res.setHeader('Connection', 'close'))
    // `http.Server.close` would also close the idle connections.
    const closed = promisify(NetServer.prototype.close.bind(server))()
    const closeIdleFromMs = performance.now() + this.#limits.lastRequestMs
    const closingIdle = setInterval(() => {
      if (performance.now() >= closeIdleFromMs) server.closeIdleConnections()
    }, 50)
    const closeAll = () => {
      for (const socket of this.#open.keys()) socket.destroy()
    }
    const deadline = setTimeout(closeAll, this.#limits.drainMs)
    await closed
    clearInterval(closingIdle)
    clearTimeout(deadline)
  }

  #add(socket: Socket): void {
    if (this.#open.size >= this.#limits.maxOpen) {
      if (this.#turnedAway >= maxTurnedAway) return void socket.destroy()
      this.#turnedAway++
      socket.once('close', () => this.#turnedAway--)
      return this.#turnAway(socket)
    }
    this.#open.set(socket, { response: null, requestedAtMs: 0 })
    socket.once('close', () => this.#open.delete(socket))
  }

  /** A client that reads nothing leaves its answer unfinished: the kernel takes no more of it. */
  #closeStalled(): void {
    const limitMs = performance.now() - this.#limits.answerMs
    for (const [socket, { response, requestedAtMs }] of this.#open)
      if (response !== null && !response.writableFinished && requestedAtMs <= limitMs) socket.destroy()
  }
}
