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
import { readHeaders } from './request-headers.ts'

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
  const [line, method, target] = /^([!#$%&'*+.^_`|~\w-]+) (\/\S*) HTTP\/1\.[01]\r?\n/.exec(packet) ?? []
  if (code !== 'HPE_INVALID_METHOD' || line === undefined || bytesParsed > method!.length)
    return { error: badRequest(400, 'this is not an HTTP/1.1 request') }
  // A request whose method Node's parser does not know.
  const { path } = splitTarget(target!)
  const error = matchPath(path) ? methodNotAllowed(method!) : unknownPath(path)
  const headers = headersIn(packet.slice(line.length))
  return headers ? { error, forwardedFor: readHeaders(headers).forwardedFor ?? null } : { error }
}

/** Names and values of a header section; null if it is not whole. */
function headersIn(section: string): string[] | null {
  const end = /^\r?\n|\r?\n\r?\n/.exec(section)
  if (!end) return null
  const fields = section.slice(0, end.index).split(/\r?\n/)
  return fields.flatMap((field) => {
    const colon = field.indexOf(':')
    return colon < 0 ? [] : [field.slice(0, colon), field.slice(colon + 1).trim()]
  })
}

function describeOverflow(packet: string): Fault | null {
  if (/^[A-Z-]+ (\/|http)/.test(packet)) {
    const isLineRead = packet.slice(0, maxRequestLineBytes + 2).includes('\n')
    return { error: isLineRead ? headersTooLarge : requestLineTooLong }
  }
  if (!/\s/.test(packet)) return null
  return { error: /^\S* HTTP\/1\.[01](\r|\n|$)/.test(packet) ? requestLineTooLong : headersTooLarge }
}
