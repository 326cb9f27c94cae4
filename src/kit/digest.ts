import { hash } from 'node:crypto'

/** SHA-256 of the bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer')
}

/** The same as a text of one character a byte: 0.3 µs where the Buffer takes 0.9. */
export function sha256ByteText(data: string | Uint8Array): string {
  return hash('sha256', data, 'latin1')
}

/**
 * The first 96 bits of the SHA-256, base64url: 16 characters, enough to tell the bodies of one
 * address apart.
 */
export function shortDigest(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url').slice(0, 16)
}

/**
 * The first 64 bits of the SHA-256, in hexadecimal: for names of files, also where case does not
 * count.
 */
export function nameDigest(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex').slice(0, 16)
}
