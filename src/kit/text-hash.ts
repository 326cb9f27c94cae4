/**
 * FNV-1a over the UTF-16 units of a text (Fowler, Noll and Vo; public domain), followed by a bit
 * mixer, as an unsigned 32-bit number.
 *
 *     textHash('moon') === textHash('mo' + 'on') // true
 */
export function textHash(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return numberHash(hash)
}

/**
 * Mixes the bits of a 32-bit number with the finaliser of MurmurHash3 (Appleby; public domain), so
 * that any of them can serve as a hash; each key gives a different hash.
 *
 *     numberHash(1) // 1364076727
 */
export function numberHash(value: number, key = 0): number {
  let hash = value ^ key
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13) ^ key, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
