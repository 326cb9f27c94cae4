import xxhash from 'xxhash-wasm'

const { h64Raw } = await xxhash()

/**
 * The XXH64 of the bytes (Collet's specification) in base 36, up to 13 characters: tells apart what
 * nobody makes up to look alike. 8 KB take 1 µs, by SHA-256 7.
 */
export function quickDigest(data: Uint8Array): string {
  return h64Raw(data).toString(36)
}
