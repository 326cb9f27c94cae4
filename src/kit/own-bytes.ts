/**
 * The bytes in memory that holds nothing else, for caches. Node cuts small Buffers from slabs of
 * 64 KB, and one that is kept keeps its whole slab.
 *
 *     ownBytes(Buffer.from('abc')).buffer.byteLength // 3
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
