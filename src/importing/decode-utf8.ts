import { Rejection } from './rejection.ts'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The text of a subtitle or metadata file, without its byte order mark.
 *
 * @throws {Rejection} the bytes are no UTF-8
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
    throw new Rejection(`is not UTF-8${utf16 ? ' (its first bytes say UTF-16)' : ''}: save it as UTF-8`)
  }
}
