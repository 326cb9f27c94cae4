/**
 * Decodes a percent-encoded piece of a request target (RFC 3986 section 2.1), which Node gives as
 * latin1. Returns null if an escape is broken, or the bytes are not UTF-8 or contain NUL.
 *
 *     percentDecode('caf%C3%A9+noir', { plusIsSpace: true }) // 'café noir'
 *     percentDecode('100%', { plusIsSpace: false }) // null
 */
export function percentDecode(raw: string, options: { plusIsSpace: boolean }): string | null {
  if (/^[\w.~!$'()*,:;@-]*$/.test(raw)) return raw
  const withSpaces = options.plusIsSpace ? raw.replaceAll('+', ' ') : raw
  try {
    const escapedText = withSpaces.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
    const text = decodeURIComponent(escapedText)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
