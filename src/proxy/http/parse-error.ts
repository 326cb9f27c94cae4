import type { ErrorAnswer } from '#contract/errors.ts'
import { matchPath, splitTarget } from './match.ts'
import {
  badRequest,
  headersTooLarge,
  maxRequestLineBytes,
  methodNotAllowed,
  requestLineTooLong,
  unknownPath,
} from './refusals.ts'

/**
 * Node's error for bytes that are not a request; it could parse the first `bytesParsed` of the
 * packet.
 */
export type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }

/**
 * The event of a request whose body Node's parser gave up, with the error. Node reports such a
 * fault only to the server, so a reader would wait without end.
 */
export const brokenBody = 'brokenBody'

/**
 * What is wrong with bytes that Node could not read as a request; null if only the bytes after them
 * can show it.
 */
export function describeFault({ code, rawPacket, bytesParsed = 0 }: ParseError): ErrorAnswer | null {
  const packet = rawPacket?.toString('latin1') ?? ''
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return badRequest(408, 'the request did not arrive in time')
  if (code === 'HPE_HEADER_OVERFLOW') return describeOverflow(packet)
  const [, method, target] = /^([!#$%&'*+.^_`|~\w-]+) (\/\S*) HTTP\/1\.[01]\r?\n/.exec(packet) ?? []
  if (code !== 'HPE_INVALID_METHOD' || method === undefined || bytesParsed > method.length)
    return badRequest(400, 'this is not an HTTP/1.1 request')
  return unknownMethod(method, target!)
}

/** What is wrong with a request whose method Node does not take: it can be read no further. */
export function unknownMethod(method: string, target: string): ErrorAnswer {
  const { path } = splitTarget(target)
  return matchPath(path) ? methodNotAllowed(method) : unknownPath(path)
}

function describeOverflow(packet: string): ErrorAnswer | null {
  if (/^[A-Z-]+ (\/|http)/.test(packet)) {
    const isLineRead = packet.slice(0, maxRequestLineBytes + 2).includes('\n')
    return isLineRead ? headersTooLarge : requestLineTooLong
  }
  if (!/\s/.test(packet)) return null
  return /^\S* HTTP\/1\.[01](\r|\n|$)/.test(packet) ? requestLineTooLong : headersTooLarge
}
