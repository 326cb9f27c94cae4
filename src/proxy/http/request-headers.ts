/** What the proxy reads of the header section of a request. */
export interface RequestHeaders {
  /** How many Host fields there are. */
  hosts: number
  /** The size of the section: each field is name, colon, blank, value and CRLF. */
  sizeBytes: number
  /** Undefined without one, and with more than one, of which none can be trusted. */
  authorization: string | undefined
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
  forwardedFor: string | undefined
  requestId: string | undefined
}

/**
 * Reads the fields that the proxy needs in one pass over `rawHeaders` (name, value, name, value …).
 * `req.headers` would first lower and copy all of them, which costs a tenth of the metering. Fields
 * that are lists are joined (RFC 9110 section 5.3).
 */
export function readHeaders(rawHeaders: readonly string[]): RequestHeaders {
  const found: RequestHeaders = {
    hosts: 0,
    sizeBytes: 0,
    authorization: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    forwardedFor: undefined,
    requestId: undefined,
  }
  let authorizations = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    const value = rawHeaders[i + 1]!
    found.sizeBytes += name.length + value.length + 4
    // Only names of these lengths can match.
    if (name.length !== 4 && name.length !== 12 && name.length !== 13 && name.length !== 15) continue
    switch (name.toLowerCase()) {
      case 'host':
        found.hosts++
        break
      case 'x-request-id':
        found.requestId = joined(found.requestId, value)
        break
      case 'authorization':
        found.authorization = ++authorizations === 1 ? value : undefined
        break
      case 'if-none-match':
        found.ifNoneMatch = joined(found.ifNoneMatch, value)
        break
      case 'accept-encoding':
        found.acceptEncoding = joined(found.acceptEncoding, value)
        break
      case 'x-forwarded-for':
        found.forwardedFor = joined(found.forwardedFor, value)
        break
    }
  }
  return found
}

function joined(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`
}
