const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Decodes a percent-encoded piece of a request target (RFC 3986 section 2.1). `raw` is what Node
 * hands over: one character a byte (latin1). Returns null if an escape is broken, the bytes are not
 * UTF-8, or one of them is NUL.
 *
 *     percentDecode('caf%C3%A9+noir', { plusIsSpace: true }) // 'café noir'
 *     percentDecode('100%', { plusIsSpace: false }) // null
 */
export function percentDecode(raw: string, options: { plusIsSpace: boolean }): string | null {
  if (/^[\w.~!$'()*,:;@-]*$/.test(raw)) return raw
  if (/%(?![0-9A-Fa-f]{2})/.test(raw)) return null
  const spaced = options.plusIsSpace ? raw.replaceAll('+', ' ') : raw
  const bytes = spaced.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
  try {
    const text = strictUtf8.decode(Buffer.from(bytes, 'latin1'))
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
