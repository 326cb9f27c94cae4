import { randomUUID } from 'node:crypto'
import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { toErrorBody, type ErrorAnswer } from '#contract/errors.ts'
import type { WindowState } from '#metering/store.ts'
import { connectionLimits, Connections, type ConnectionLimits } from './connections.ts'
import { addressSubject, type Dependencies } from './exchange.ts'
import { handle } from './handle.ts'
import { brokenBody, describeFault, unknownMethod, type ParseError } from './parse-error.ts'
import { maxHeadersBytes, maxRequestLineBytes, requestLineTooLong, tooManyConnections } from './refusals.ts'
import { errorFields, jsonType, requestFields } from './send.ts'

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
  /** The connections that were answered so, or will be: once each. */
  const refused = new WeakSet<Socket>()
  /** Refuses the last request of a connection, after the answers to those before it. */
  const refuse = (socket: Socket, error: ErrorAnswer) => {
    if (refused.has(socket)) return
    refused.add(socket)
    const pending = connections.responseOf(socket)
    const refuseNow = () => void refuseSocket(socket, error, allLimits.lingerMs, dependencies)
    if (pending && !pending.closed) pending.once('close', refuseNow)
    else refuseNow()
  }
  const connections = new Connections(server, allLimits, (socket) => {
    socket.on('error', () => socket.destroy())
    refuse(socket, tooManyConnections)
  })
  const answer = (req: IncomingMessage, res: ServerResponse) =>
    connections.inTurn(req.socket, res, () => handle(req, res, dependencies))
  server.on('request', answer)
  server.on('checkExpectation', answer)
  server.on('connect', ({ method, url }, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    refuse(socket, unknownMethod(method!, url!))
  })
  server.on('clientError', (error: ParseError, socket: Socket) => {
    if (refused.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    if (connections.responseOf(socket)?.req.emit(brokenBody, error)) return
    const fault = describeFault(error)
    if (fault) refuse(socket, fault)
    else setTimeout(() => refuse(socket, requestLineTooLong), oversizeWaitMs).unref()
  })
  return { server, connections }
}

/** What the logs have of bytes that are not a request. */
const notARequest = { method: '', operation: null, durationMs: 0, bytes: 0, account: null, keyId: null }

/**
 * Writes an error to a connection without a request, and closes it. What the client still sends is
 * read and dropped for `lingerMs`, because a reset could overtake the answer (RFC 9112 section
 * 9.6).
 */
async function refuseSocket(
  socket: Socket,
  error: ErrorAnswer,
  lingerMs: number,
  dependencies: Dependencies,
): Promise<void> {
  socket.resume()
  const { status, code } = error
  const isParsed = status === 404 || status === 405
  const window = isParsed ? await windowOf(socket, dependencies) : null
  if (!socket.writable) return void socket.destroy()
  const requestId = randomUUID()
  const client = socket.remoteAddress ?? ''
  dependencies.onAnswered?.({ ...notARequest, requestId, status, code, client }, null)
  const body = JSON.stringify(toErrorBody(error, dependencies.siteUrl()))
  const fields = ['Date', new Date().toUTCString(), ...errorFields(error)]
  fields.push(...requestFields({ requestId, window }), 'Content-Type', jsonType)
  fields.push('Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close')
  const lines = fields.map((text, i) => text + (i % 2 ? '\r\n' : ': ')).join('')
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/** The window of a client; null if it is unknown, as behind a proxy of ours. */
async function windowOf(socket: Socket, dependencies: Dependencies): Promise<WindowState | null> {
  const { trustedProxies, counters } = dependencies
  if (trustedProxies.has(socket.remoteAddress)) return null
  const subject = addressSubject(dependencies, socket.remoteAddress)
  const decision = await counters.peek(subject).catch(() => null)
  return decision && decision.outcome !== 'unknown_key' ? decision.window : null
}
