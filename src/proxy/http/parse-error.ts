import type { ErrorAnswer } from '#contract/errors.ts'
import { badRequest, headersTooLarge, maxRequestLineBytes, requestLineTooLong } from './refusals.ts'

/**
 * Node's error for bytes that are not a request. The first `bytesParsed` of them could be parsed.
 */
export type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }

/**
 * The event of a request whose body Node's parser could not read, with the error. Node reports such
 * a fault only to the server, so a reader would wait endlessly.
 */
export const brokenBody = 'brokenBody'

/** Returns a request head with a method that Node's parser does not know; null if there is none. */
export function unknownMethod({ code, rawPacket, bytesParsed = 0 }: ParseError) {
  const [head] = (rawPacket?.toString('latin1') ?? '').split(/\r?\n\r?\n/, 1) as [string]
  const [, method, url] = /^([!#$%&'*+.^_`|~\w-]+) (\/[!-~\x80-\xff]*) HTTP\/1\.[01]\r?\n/.exec(head) ?? []
  const isUnknown = code === 'HPE_INVALID_METHOD' && method !== undefined && bytesParsed <= method.length
  // A pattern that also excludes the blanks around a value takes the square of their number.
  const fields = head.matchAll(/^([\w-]+):(.*)$/gm)
  const rawHeaders = [...fields].flatMap(([, name, value]) => [name!, value!.trim()])
  return isUnknown ? { method, url: url!, rawHeaders } : null
}

/** Returns the fault of bytes that are not a request; null if it depends on those that follow. */
export function describeFault({ code, rawPacket, bytesParsed = 0 }: ParseError): ErrorAnswer | null {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return badRequest(408, 'The request did not arrive in time.')
  if (code === 'HPE_HEADER_OVERFLOW') return describeOverflow(rawPacket?.toString('latin1') ?? '')
  if (code === 'HPE_INVALID_URL' && (rawPacket?.[bytesParsed] ?? 0) > 0x7f)
    return badRequest(
      400,
      'The request target must be ASCII: percent-encode other characters, such as é as %C3%A9.',
    )
  return badRequest(400, 'This is not an HTTP/1.1 request.')
}

function describeOverflow(packet: string): ErrorAnswer | null {
  if (/^[A-Z-]+ (\/|http)/.test(packet)) {
    const isLineRead = packet.slice(0, maxRequestLineBytes + 2).includes('\n')
    return isLineRead ? headersTooLarge : requestLineTooLong
  }
  if (!/\s/.test(packet)) return null
  return /^\S* HTTP\/1\.[01](\r|\n|$)/.test(packet) ? requestLineTooLong : headersTooLarge
}
