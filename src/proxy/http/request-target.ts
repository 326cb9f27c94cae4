/** The target of a request, not decoded: one character a byte, as in `req.url`. */
interface Target {
  path: string
  query: string
}

/** Splits a request target in origin or absolute form (RFC 9112 section 3.2). */
export function splitTarget(url: string): Target {
  const origin = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const end = origin.indexOf('?')
  return end < 0 ? { path: origin, query: '' } : { path: origin.slice(0, end), query: origin.slice(end + 1) }
}
