import xxhash from 'xxhash-wasm'
import { toByteText } from '#kit/byte-text.ts'
import { ownBytes } from '#kit/own-bytes.ts'
import type { Coding } from './coding.ts'

const { h64Raw } = await xxhash()

/** A body in a coding, ready to be sent. */
export interface EncodedBody {
  payload: Payload
  /** The header fields that do not differ between requests (name, value, name, value …). */
  fields: readonly string[]
}

/** Bytes, or a byte text: Node sends a short one in one piece with the head. */
export type Payload = Buffer | string

/**
 * Node writes a text of up to 16 KB at once from a buffer on its stack (`StreamBase::WriteString`);
 * this leaves room for the head.
 */
const maxTextLength = 15_000

/**
 * Holds the bytes of a text while they are digested: to allocate a Buffer for each text would take
 * four times as long.
 */
const digestBuffer = Buffer.allocUnsafeSlow(64 * 1024)

/** The body of an answer. Each of its codings is made once, with its header fields. */
export class Body {
  readonly payload: Payload
  readonly encodedBodies: { [coding in Coding]?: EncodedBody } = {}
  /** The codings that are being made. */
  readonly encoding: { [coding in Coding]?: Promise<EncodedBody> } = {}
  #digest: string | undefined

  /** @param digest differs between any two bodies of one address; computed unless it is known */
  constructor(payload: Payload, digest?: string) {
    this.payload = payload
    this.#digest = digest
  }

  /**
   * The XXH64 of the bytes (Collet's specification) in base 36, unless it is given, to compare what
   * nobody forges. 8 KB take 1 µs, with SHA-256 7.
   */
  get digest(): string {
    return (this.#digest ??= h64Raw(this.#bytesToDigest()).toString(36))
  }

  /** The bytes, until those of another body are digested. */
  #bytesToDigest(): Buffer {
    if (typeof this.payload !== 'string' || this.payload.length > digestBuffer.length) return this.bytes
    return digestBuffer.subarray(0, digestBuffer.write(this.payload, 'latin1'))
  }

  get byteText(): string {
    return typeof this.payload === 'string' ? this.payload : this.payload.toString('latin1')
  }

  get bytes(): Buffer {
    return typeof this.payload === 'string' ? Buffer.from(this.payload, 'latin1') : this.payload
  }
}

/** A value as JSON. */
export function jsonBody(value: unknown): Body {
  return new Body(toByteText(JSON.stringify(value)))
}

/** Bytes in the form that is cheapest to send, and in memory of their own. */
export function payloadOf(bytes: Buffer): Payload {
  return bytes.length <= maxTextLength ? bytes.toString('latin1') : ownBytes(bytes)
}
