import xxhash from 'xxhash-wasm'

const { h64Raw } = await xxhash()

/**
 * The XXH64 of the bytes (Collet's specification) in base 36, up to 13 characters, to compare what
 * nobody forges. 8 KB take 1 µs, with SHA-256 7.
 *
 *     quickDigest(new Uint8Array()) // '3mzsru4d4ty1l'
 */
export function quickDigest(data: Uint8Array): string {
  return h64Raw(data).toString(36)
}
