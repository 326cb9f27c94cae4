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
/** Few other names have these lengths: most need not be lowered to be compared. */
const lengths: ReadonlySet<number> = new Set(names.map((name) => name.length))

/** What the proxy reads of the header section of a request. */
export type RequestHeaders = {
  /** The size of the section: each field is name, colon, blank, value and CRLF. */
  sizeBytes: number
} & { [name in Name]?: string }

/**
 * Reads the fields that the proxy needs in one pass over `rawHeaders` (name, value, name, value …).
 * `req.headers` would first lower and copy all of them, which costs a tenth of the metering.
 *
 * The values of a repeated field are joined (RFC 9110 section 5.3). One that is no list, such as
 * `Host`, is thus wrong if it is repeated.
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
