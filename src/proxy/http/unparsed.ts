import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { toErrorBody, type ErrorAnswer } from '#contract/errors.ts'
import { matchPath } from './match.ts'
import { badRequest, methodNotAllowed, unknownPath } from './refusals.ts'
import { splitTarget } from './request-target.ts'
import { errorFields, everyField, jsonType } from './respond.ts'
import { linesOf } from './response-head.ts'
import { headersTooLarge, maxRequestLineBytes, requestLineTooLong } from './size-limits.ts'

/** How Node tells that bytes are no request: `bytesParsed` of the last packet were still fine. */
export type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }

/** How long a client that was refused may go on sending. */
const lingerMs = 2_000

/** What is wrong with bytes that could not be read as a request; null where what follows must tell. */
export function faultOf({ code, rawPacket, bytesParsed = 0 }: ParseError): ErrorAnswer | null {
  const packet = rawPacket?.toString('latin1') ?? ''
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return badRequest(408, 'the request did not arrive in time')
  if (code === 'HPE_HEADER_OVERFLOW') return tooLarge(packet)
  const [, method = '', target] = /^([!#$%&'*+.^_`|~\w-]+) (\/\S*) HTTP\/1\.[01]\r?\n/.exec(packet) ?? []
  if (code !== 'HPE_INVALID_METHOD' || target === undefined || bytesParsed > method.length) {
    return badRequest(400, 'what arrived is no HTTP/1.1 request')
  }
  const { path } = splitTarget(target)
  return matchPath(path) ? methodNotAllowed(method) : unknownPath(path)
}

/** Which part is too large, by a packet from the one on in which it became so; null where it might be a piece of either. */
function tooLarge(packet: string): ErrorAnswer | null {
  if (/^[A-Z-]+ (\/|http)/.test(packet)) {
    return packet.slice(0, maxRequestLineBytes + 2).includes('\n') ? headersTooLarge : requestLineTooLong
  }
  if (!/\s/.test(packet)) return null
  return /^\S* HTTP\/1\.[01](\r|\n|$)/.test(packet) ? requestLineTooLong : headersTooLarge
}

/**
 * Answers where there is no request to answer, and closes. What else the client brings is read and dropped for a while, or a reset would overtake the
 * answer (RFC 9112 section 9.6).
 */
export function answerRaw(socket: Socket, error: ErrorAnswer): void {
  const body = JSON.stringify(toErrorBody(error))
  const fields = [
    'Date',
    new Date().toUTCString(),
    ...everyField,
    ...errorFields(error),
    'Content-Type',
    jsonType,
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Connection',
    'close',
  ]
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${linesOf(fields)}\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
