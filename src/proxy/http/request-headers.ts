/** What the proxy reads of the header section of a request. */
export interface RequestHeaders {
  /** The size of the section: each field is name, colon, blank, value and CRLF. */
  sizeBytes: number
  host: string | undefined
  authorization: string | undefined
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
  forwardedFor: string | undefined
  requestId: string | undefined
}

const properties = new Map<string, Exclude<keyof RequestHeaders, 'sizeBytes'>>([
  ['host', 'host'],
  ['authorization', 'authorization'],
  ['accept-encoding', 'acceptEncoding'],
  ['if-none-match', 'ifNoneMatch'],
  ['x-forwarded-for', 'forwardedFor'],
  ['x-request-id', 'requestId'],
])
/** Few other names have these lengths: most need not be lowered to be compared. */
const lengths = new Set([...properties.keys()].map((name) => name.length))

/**
 * Reads the fields that the proxy needs in one pass over `rawHeaders` (name, value, name, value …).
 * `req.headers` would first lower and copy all of them, which costs a tenth of the metering.
 *
 * The values of a repeated field are joined (RFC 9110 section 5.3). One that is no list, such as
 * `Host`, is thus wrong if it is repeated.
 */
export function readHeaders(rawHeaders: readonly string[]): RequestHeaders {
  const found: RequestHeaders = {
    sizeBytes: 0,
    host: undefined,
    authorization: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    forwardedFor: undefined,
    requestId: undefined,
  }
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    const value = rawHeaders[i + 1]!
    found.sizeBytes += name.length + value.length + 4
    const property = lengths.has(name.length) ? properties.get(name.toLowerCase()) : undefined
    if (!property) continue
    const before = found[property]
    found[property] = before === undefined ? value : `${before}, ${value}`
  }
  return found
}
