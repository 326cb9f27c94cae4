import { randomUUID } from 'node:crypto'
import { createServer, ServerResponse, STATUS_CODES, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { toErrorBody } from '#contract/errors.ts'
import type { WindowState } from '#metering/store.ts'
import { connectionLimits, Connections, type ConnectionLimits } from './connections.ts'
import { addressSubject, type Dependencies } from './exchange.ts'
import { handle } from './handle.ts'
import { brokenBody, describeFault, type Fault, type ParseError } from './parse-error.ts'
import { maxHeadersBytes, maxRequestLineBytes, requestLineTooLong, tooManyConnections } from './refusals.ts'
import { errorFields, jsonType, requestFields } from './send.ts'

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
  const { lingerMs } = allLimits
  const refuse = (socket: Socket, fault: Fault) => void refuseSocket(socket, fault, lingerMs, dependencies)
  /** The connections that were answered so, or will be: once each. */
  const refused = new WeakSet<Socket>()
  const connections = new Connections(server, allLimits, (socket) => {
    refused.add(socket)
    // What it sends is not read, and a reset must not end the process.
    socket.on('error', () => socket.destroy())
    refuse(socket, { error: tooManyConnections })
  })
  const answer = (req: IncomingMessage, res: ServerResponse) =>
    connections.inTurn(req.socket, res, () => handle(req, res, dependencies))
  server.on('request', answer)
  server.on('checkExpectation', answer)
  server.on('connect', (req, socket: Socket) => {
    const res = prepareConnect(req, socket, lingerMs)
    connections.inTurn(socket, res, () => {
      res.assignSocket(socket)
      handle(req, res, dependencies)
    })
  })
  /** Answers bytes that Node cannot read as a request, after the requests before them. */
  const refuseLast = (socket: Socket, fault: Fault) => {
    if (refused.has(socket)) return
    refused.add(socket)
    const pending = connections.responseOf(socket)
    if (pending && !pending.closed) pending.once('close', () => refuse(socket, fault))
    else refuse(socket, fault)
  }
  server.on('clientError', (error: ParseError, socket: Socket) => {
    if (refused.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    if (connections.responseOf(socket)?.req.emit(brokenBody, error)) return
    const fault = describeFault(error)
    if (fault) refuseLast(socket, fault)
    else setTimeout(() => refuseLast(socket, { error: requestLineTooLong }), oversizeWaitMs).unref()
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
  { error, forwardedFor }: Fault,
  lingerMs: number,
  dependencies: Dependencies,
): Promise<void> {
  const window = forwardedFor === undefined ? null : await windowOf(socket, forwardedFor, dependencies)
  if (!socket.writable) return void socket.destroy()
  const requestId = randomUUID()
  const { status, code } = error
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

/** The window of a client whose bytes are not a request; null if it is unknown. */
async function windowOf(
  socket: Socket,
  forwardedFor: string | null,
  dependencies: Dependencies,
): Promise<WindowState | null> {
  const subject = addressSubject(dependencies, socket.remoteAddress, forwardedFor ?? undefined)
  const decision = await dependencies.counters.peek(subject).catch(() => null)
  return decision && decision.outcome !== 'unknown_key' ? decision.window : null
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
