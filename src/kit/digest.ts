import { hash } from 'node:crypto'

/**
 * Returns the 32 bytes of the SHA-256.
 *
 *     sha256('abc').toString('hex').slice(0, 8) // 'ba7816bf'
 */
export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer')
}

/**
 * Returns the SHA-256 as a text with one character per byte, in a third of the time for a Buffer.
 *
 *     sha256ByteText('abc').length // 32
 */
export function sha256ByteText(data: string | Uint8Array): string {
  return hash('sha256', data, 'latin1')
}

/**
 * Returns the first 96 bits of the SHA-256 in base64url, enough to distinguish the bodies of one
 * address.
 *
 *     shortDigest('abc') // 'ungWv48Bz-pBQUDe'
 */
export function shortDigest(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url').slice(0, 16)
}

/**
 * Returns the first 64 bits of the SHA-256 in hexadecimal, for file names also on disks that ignore
 * case.
 *
 *     nameDigest('abc') // 'ba7816bf8f01cfea'
 */
export function nameDigest(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex').slice(0, 16)
}
