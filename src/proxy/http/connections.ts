import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { promisify } from 'node:util'

/** The maximum number of open connections, and the time limit for each phase of a connection. */
export const connectionLimits = {
  /** Connections above this number get 503. */
  maxOpen: Infinity,
  /**
   * The maximum number of pipelined requests that wait for earlier responses, over all connections.
   * Each takes 0.5 KB, and one packet can hold 2,600.
   */
  maxWaiting: 50_000,
  /** The time for the head of a request, from the connection or from its first byte. */
  headersMs: 10_000,
  /** The time for a whole request, including its body. */
  requestMs: 20_000,
  /**
   * The time from a request until the client has read its whole response. The connection is closed
   * after this time at the earliest, and after twice as long at the latest.
   */
  answerMs: 60_000,
  /**
   * The time between a response and the next request: longer than the 60 s of the usual load
   * balancers, so that they close an idle connection first.
   */
  idleMs: 65_000,
  /** The time for bytes that a client still sends after its connection was refused. */
  lingerMs: 2_000,
  /** While the server stops, for a request that is on its way on an idle connection. */
  lastRequestMs: 1_000,
  /** The time for everything that is open when the server stops. */
  drainMs: 9_500,
}

export type ConnectionLimits = typeof connectionLimits

/**
 * The maximum number of connections that are being refused with a 503. Further ones are closed
 * without a response.
 */
const maxTurnedAway = 100

interface OpenConnection {
  /** The response to the latest request; null before the first. */
  latest: ServerResponse | null
  /** The number of requests that wait for earlier responses. */
  waitingCount: number
}

/**
 * The open connections of a server, except for those that are being refused.
 *
 * Node limits the head, the request and the idle time of a connection; this class limits the rest:
 * a response that the client does not read, pipelined requests, and stopping the server.
 */
export class Connections {
  readonly #server: Server
  readonly #limits: ConnectionLimits
  readonly #open = new Map<Socket, OpenConnection>()
  /** The number of requests that wait on all connections. */
  #waitingCount = 0

  /** @param turnAway answers a connection above the limit, and closes it */
  constructor(server: Server, limits: ConnectionLimits, turnAway: (socket: Socket) => void) {
    this.#server = server
    this.#limits = limits
    server.headersTimeout = limits.headersMs
    server.requestTimeout = limits.requestMs
    server.keepAliveTimeout = limits.idleMs
    server.maxConnections = limits.maxOpen + maxTurnedAway
    server.on('connection', (socket: Socket) => {
      if (this.#open.size >= limits.maxOpen) return turnAway(socket)
      const connection: OpenConnection = { latest: null, waitingCount: 0 }
      this.#open.set(socket, connection)
      socket.once('close', () => {
        this.#open.delete(socket)
        this.#waitingCount -= connection.waitingCount
      })
    })
    const visitedResponses = new WeakSet<ServerResponse>()
    // A client that reads nothing leaves its response unfinished: the kernel accepts no more.
    const closingStalled = setInterval(() => {
      for (const [socket, { latest }] of this.#open) {
        if (latest === null || latest.writableFinished) continue
        if (visitedResponses.has(latest)) socket.destroy()
        visitedResponses.add(latest)
      }
    }, limits.answerMs).unref()
    server.on('close', () => clearInterval(closingStalled))
  }

  /** Returns the response to the latest request of a connection, if there was one. */
  responseOf(socket: Socket): ServerResponse | null | undefined {
    return this.#open.get(socket)?.latest
  }

  /**
   * Calls `answer` once the client has read the responses to the earlier requests of its
   * connection, and reads nothing more from the connection until then. So a client that pipelines
   * requests and reads no responses causes work only for the responses that the kernel buffers.
   *
   * A request behind the last response of its connection cannot be answered, so it is ignored: it
   * would be counted, and its client sends it again. A connection with more waiting requests than
   * there are places left is closed, so that a few connections cannot take all places.
   */
  inTurn(socket: Socket, response: ServerResponse, answer: () => void): void {
    const connection = this.#open.get(socket)
    if (!connection) return
    const earlier = connection.latest
    connection.latest = response
    if (earlier === null) return answer()
    if (!socket.writable) return
    if (earlier.writableFinished) return answer()
    const places = this.#limits.maxWaiting - this.#waitingCount
    if (connection.waitingCount >= places) return void socket.destroy()
    this.#countWaiting(connection, 1)
    socket.pause()
    earlier.once('close', () => {
      if (!socket.writable) return
      this.#countWaiting(connection, -1)
      if (connection.latest === response) socket.resume()
      answer()
    })
  }

  #countWaiting(connection: OpenConnection, change: 1 | -1): void {
    connection.waitingCount += change
    this.#waitingCount += change
  }

  /**
   * Accepts no new connections, lets the requests in progress end, and closes the remaining
   * connections at the limit. A client that keeps sending loses no request, because its next
   * response asks it to close.
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
    // Ends the timer of `http.Server`, which would keep the server in memory.
    server.close()
    clearInterval(closingIdle)
    clearTimeout(deadline)
  }
}
