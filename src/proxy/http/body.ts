import xxhash from 'xxhash-wasm'
import { toByteText } from '#kit/byte-text.ts'
import { ownBytes } from '#kit/own-bytes.ts'
import type { Coding } from './coding.ts'

const { h64Raw } = await xxhash()

/** A body in a coding, ready to be sent. */
export interface EncodedBody {
  payload: Payload
  /** The headers that are the same for all requests (name, value, name, value …). */
  fields: readonly string[]
}

/** Bytes, or a byte text, which Node sends in one piece with the head if it is short. */
export type Payload = Buffer | string

/**
 * The maximum length of such a text. Node writes a text of up to 16 KB at once from a buffer on its
 * stack (`StreamBase::WriteString`); this leaves room for the head.
 */
const maxTextLength = 15_000

/** Holds the bytes of a text to digest. A new Buffer for each would take four times as long. */
const digestBuffer = Buffer.allocUnsafeSlow(64 * 1024)

/** The body of an answer. Each of its codings is created once, with its headers. */
export class Body {
  readonly payload: Payload
  readonly encodedBodies: { [coding in Coding]?: EncodedBody } = {}
  /** The codings that are being created. */
  readonly encoding: { [coding in Coding]?: Promise<EncodedBody> } = {}
  #digest: string | undefined

  /** @param digest differs between any two bodies of one address; computed unless it is known */
  constructor(payload: Payload, digest?: string) {
    this.payload = payload
    this.#digest = digest
  }

  /**
   * The given digest, or the XXH64 of the bytes (Collet's specification) in base 36, which is
   * enough to compare bytes that nobody forges. 8 KB take 1 µs, and 7 µs with SHA-256.
   */
  get digest(): string {
    return (this.#digest ??= h64Raw(this.#bytesToDigest()).toString(36))
  }

  /** Returns the bytes, until those of another body are digested. */
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

/** Returns a value as JSON. */
export function jsonBody(value: unknown): Body {
  return new Body(toByteText(JSON.stringify(value)))
}

/** Returns bytes in the form that is cheapest to send, in memory of their own. */
export function payloadOf(bytes: Buffer): Payload {
  return bytes.length <= maxTextLength ? bytes.toString('latin1') : ownBytes(bytes)
}
