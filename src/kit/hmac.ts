import { hash } from 'node:crypto'
import { ByteWriter } from './byte-writer.ts'

// Of SHA-256, in bytes.
const blockLength = 64
const digestLength = 32

/**
 * HMAC-SHA-256 (RFC 2104) with one key: two digests of one call each, which take 1.1 µs where
 * `createHmac` takes 3.
 *
 *     new Hmac(Buffer.from('key')).sign(Buffer.from('abc')).length // 32
 */
export class Hmac {
  /** The key for the inner digest, then the message. */
  readonly #inner = new ByteWriter()
  /** The key for the outer digest, then the inner digest. */
  readonly #outer = Buffer.alloc(blockLength + digestLength, 0x5c)

  /** @throws {RangeError} the key is longer than 64 bytes */
  constructor(key: Buffer) {
    if (key.length > blockLength)
      throw new RangeError(
        `cannot sign with the key: it must have at most ${blockLength} bytes, it has ${key.length}`,
      )
    this.#inner.copy(Buffer.alloc(blockLength, 0x36))
    for (const [i, byte] of key.entries()) {
      this.#inner.bytes[i]! ^= byte
      this.#outer[i]! ^= byte
    }
  }

  /** The 32 bytes as a text with one character per byte. */
  sign(message: Buffer): string {
    this.#inner.length = blockLength
    this.#inner.copy(message)
    this.#outer.write(hash('sha256', this.#inner.view(), 'latin1'), blockLength, 'latin1')
    return hash('sha256', this.#outer, 'latin1')
  }
}
