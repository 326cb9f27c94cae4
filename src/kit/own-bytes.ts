/**
 * Returns the bytes in memory of their own, for caches and for messages to other threads. Node cuts
 * small Buffers from slabs of 64 KB, so a Buffer that is kept keeps its whole slab, and one that is
 * sent takes the slab along.
 *
 *     ownBytes(Buffer.from('abc')).buffer.byteLength // 3
 */
export function ownBytes<Bytes extends Uint8Array>(bytes: Bytes): Bytes | Buffer<ArrayBuffer> {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const ownCopy = Buffer.allocUnsafeSlow(bytes.length)
  ownCopy.set(bytes)
  return ownCopy
}
