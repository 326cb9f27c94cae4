const names = [
  'host',
  'authorization',
  'accept-encoding',
  'if-none-match',
  'x-forwarded-for',
  'x-request-id',
  'transfer-encoding',
  'upgrade',
] as const
type Name = (typeof names)[number]
/** The lengths of these names. Most others differ in length, so they need no lower-casing. */
const lengths: ReadonlySet<number> = new Set(names.map((name) => name.length))

/** The parts of a request's header section that the proxy reads. */
export type RequestHeaders = {
  /** The size of the section: each header has a name, a colon, a blank, a value and CRLF. */
  sizeBytes: number
} & { [name in Name]?: string }

/**
 * Reads the headers that the proxy needs in one pass over `rawHeaders` (name, value, name …):
 * `req.headers` would copy and lower-case all of them, which costs a tenth of the metering.
 *
 * The values of a repeated header are joined (RFC 9110 section 5.3). So a header that is not a
 * list, such as `Host`, is invalid if it is repeated.
 */
export function readHeaders(rawHeaders: readonly string[]): RequestHeaders {
  const requestHeaders: RequestHeaders = { sizeBytes: 0 }
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const value = rawHeaders[i + 1]!
    requestHeaders.sizeBytes += rawHeaders[i]!.length + value.length + 4
    if (!lengths.has(rawHeaders[i]!.length)) continue
    const name = rawHeaders[i]!.toLowerCase() as Name
    if (!names.includes(name)) continue
    const before = requestHeaders[name]
    requestHeaders[name] = before === undefined ? value : `${before}, ${value}`
  }
  return requestHeaders
}
