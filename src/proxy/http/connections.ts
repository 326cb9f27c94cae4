import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { promisify } from 'node:util'

/**
 * How many connections may be open, and how long one may stay in each phase of its life. Every
 * phase has a limit.
 */
export const connectionLimits = {
  /** Those that come on top get 503. */
  maxOpen: Infinity,
  /** For the head of a request, from the connect or from its first byte. */
  headersMs: 10_000,
  /** For a whole request, body included. */
  requestMs: 20_000,
  /** From a request until the client has taken its whole answer: at least this, at most twice. */
  answerMs: 60_000,
  /**
   * Between an answer and the next request: longer than the idle time of the usual load balancers
   * (60 s), so that they close first.
   */
  idleMs: 65_000,
  /** For what a client still sends after its connection was refused. */
  lingerMs: 2_000,
  /** While the server stops, for a request that is on its way on an idle connection. */
  lastRequestMs: 1_000,
  /** For all that is open when the server stops. */
  drainMs: 9_500,
}

export type ConnectionLimits = typeof connectionLimits

/** How many connections may be on their way out with a 503. Others are closed without a word. */
const maxTurnedAway = 100

/**
 * The open connections of a server but those that were turned away.
 *
 * Node bounds the head, the request and the idle time of a connection; this class bounds the rest:
 * an answer that the client does not take, requests sent in a row, and the stop of the server.
 */
export class Connections {
  readonly #server: Server
  readonly #limits: ConnectionLimits
  /** The response to the latest request of each connection; null before the first. */
  readonly #open = new Map<Socket, ServerResponse | null>()

  /** @param turnAway answers a connection that is one too many, and closes it */
  constructor(server: Server, limits: ConnectionLimits, turnAway: (socket: Socket) => void) {
    this.#server = server
    this.#limits = limits
    server.headersTimeout = limits.headersMs
    server.requestTimeout = limits.requestMs
    server.keepAliveTimeout = limits.idleMs
    server.maxConnections = limits.maxOpen + maxTurnedAway
    server.on('connection', (socket: Socket) => {
      if (this.#open.size >= limits.maxOpen) return turnAway(socket)
      this.#open.set(socket, null)
      socket.once('close', () => this.#open.delete(socket))
    })
    const visitedResponses = new WeakSet<ServerResponse>()
    // A client that reads nothing leaves its answer unfinished: the kernel takes no more of it.
    const closingStalled = setInterval(() => {
      for (const [socket, response] of this.#open) {
        if (response === null || response.writableFinished) continue
        if (visitedResponses.has(response)) socket.destroy()
        visitedResponses.add(response)
      }
    }, limits.answerMs).unref()
    server.on('close', () => clearInterval(closingStalled))
  }

  /** The response to the latest request of a connection, if it has brought one. */
  responseOf(socket: Socket): ServerResponse | null | undefined {
    return this.#open.get(socket)
  }

  /**
   * Calls `answer` once the client has taken the answers to the earlier requests of its connection,
   * and reads nothing more from it meanwhile. A client that sends requests in a row and takes no
   * answers thus makes work for the answers that the kernel buffers, and for no more.
   */
  inTurn(socket: Socket, response: ServerResponse, answer: () => void): void {
    const earlier = this.#open.get(socket)
    if (earlier === undefined) return
    this.#open.set(socket, response)
    if (earlier === null || earlier.writableFinished) return answer()
    socket.pause()
    earlier.once('close', () => {
      if (socket.destroyed) return
      if (this.#open.get(socket) === response) socket.resume()
      answer()
    })
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
    const closing = promisify(NetServer.prototype.close.bind(server))()
    const closingIdle = setInterval(() => server.closeIdleConnections(), this.#limits.lastRequestMs)
    const deadline = setTimeout(() => {
      for (const socket of this.#open.keys()) socket.destroy()
    }, this.#limits.drainMs)
    await closing
    clearInterval(closingIdle)
    clearTimeout(deadline)
  }
}
