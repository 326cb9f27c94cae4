import { hash } from 'node:crypto'

/** The namespace of addresses (RFC 9562 section 6.6), with one character per byte. */
const urlNamespace = '\x6b\xa7\xb8\x11\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8'

/**
 * The UUIDv5 of an ASCII address (RFC 9562 section 5.5), in lower case.
 *
 *     uuidOfUrl('https://example.com') // '4fd35a71-71ef-5a55-a9d9-aa75c889a6d0'
 */
export function uuidOfUrl(url: string): string {
  const hex = hash('sha1', Buffer.from(urlNamespace + url, 'latin1'))
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
