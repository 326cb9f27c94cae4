import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { toErrorBody, type ErrorAnswer } from '#contract/errors.ts'
import type { WindowState } from '#metering/store.ts'
import { matchPath } from './match.ts'
import { badRequest, methodNotAllowed, unknownPath } from './refusals.ts'
import { readHeaders } from './request-headers.ts'
import { splitTarget } from './request-target.ts'
import { commonFields, errorFields, jsonType } from './respond.ts'
import { requestFields } from './send.ts'
import { headersTooLarge, maxRequestLineBytes, requestLineTooLong } from './size-limits.ts'

/**
 * Node's error for bytes that are not a request; it could parse the first `bytesParsed` of the
 * packet.
 */
export type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }

/** What is wrong with bytes that Node could not read as a request. */
export interface Fault {
  error: ErrorAnswer
  /**
   * `X-Forwarded-For` of a request whose headers could be read, null without one; absent if they
   * could not.
   */
  forwardedFor?: string | null
}

/**
 * What is wrong with bytes that Node could not read as a request; null if only the bytes after them
 * can show it.
 */
export function describeFault({ code, rawPacket, bytesParsed = 0 }: ParseError): Fault | null {
  const packet = rawPacket?.toString('latin1') ?? ''
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { error: badRequest(408, 'the request did not arrive in time') }
  if (code === 'HPE_HEADER_OVERFLOW') return describeOverflow(packet)
  const unknown = code === 'HPE_INVALID_METHOD' ? readUnknownMethod(packet) : null
  if (unknown === null || bytesParsed > unknown.method.length)
    return { error: badRequest(400, 'this is not an HTTP/1.1 request') }
  const { path } = splitTarget(unknown.target)
  const error = matchPath(path) ? methodNotAllowed(unknown.method) : unknownPath(path)
  return unknown.headers === undefined
    ? { error }
    : { error, forwardedFor: readHeaders(unknown.headers).forwardedFor ?? null }
}

/**
 * A request whose method Node's parser does not know. `headers` is absent if the packet has only
 * some of them.
 */
interface UnknownMethod {
  method: string
  target: string
  headers?: string[]
}

function readUnknownMethod(packet: string): UnknownMethod | null {
  const [line, method, target] = /^([!#$%&'*+.^_`|~\w-]+) (\/\S*) HTTP\/1\.[01]\r?\n/.exec(packet) ?? []
  if (line === undefined) return null
  const section = packet.slice(line.length)
  const end = /^\r?\n|\r?\n\r?\n/.exec(section)
  if (!end) return { method: method!, target: target! }
  const fields = section.slice(0, end.index).split(/\r?\n/)
  const headers = fields.flatMap((field) => {
    const colon = field.indexOf(':')
    return colon < 0 ? [] : [field.slice(0, colon), field.slice(colon + 1).trim()]
  })
  return { method: method!, target: target!, headers }
}

/**
 * Which part is too large, by the packet that exceeded the limit; null if that packet can belong to
 * either.
 */
function describeOverflow(packet: string): Fault | null {
  if (/^[A-Z-]+ (\/|http)/.test(packet)) {
    const isLineRead = packet.slice(0, maxRequestLineBytes + 2).includes('\n')
    return { error: isLineRead ? headersTooLarge : requestLineTooLong }
  }
  if (!/\s/.test(packet)) return null
  return { error: /^\S* HTTP\/1\.[01](\r|\n|$)/.test(packet) ? requestLineTooLong : headersTooLarge }
}

/**
 * Writes an error to a connection without a request, and closes it. What the client still sends is
 * read and dropped for `lingerMs`, because a reset could overtake the answer (RFC 9112 section
 * 9.6).
 */
export function sendRawError(
  socket: Socket,
  error: ErrorAnswer,
  window: WindowState | null,
  requestId: string,
  lingerMs: number,
  siteUrl: string | null,
): void {
  const body = JSON.stringify(toErrorBody(error, siteUrl))
  const fields = [
    'Date',
    new Date().toUTCString(),
    ...commonFields,
    ...errorFields(error),
    ...requestFields({ requestId, window }),
    'Content-Type',
    jsonType,
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Connection',
    'close',
  ]
  const lines = fields.map((text, i) => text + (i % 2 ? '\r\n' : ': ')).join('')
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines}\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
