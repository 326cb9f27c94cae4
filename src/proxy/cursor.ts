import { hash, timingSafeEqual } from 'node:crypto'
import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'

/** A field of a cursor: a text, or a whole number below 2⁴⁸. */
export type Field = string | number

const version = 1
const versionByte = Buffer.of(version)
const signatureLength = 16

/**
 * Cursors: opaque, signed with the store's secret, bound to their endpoint.
 *
 * A cursor is base64url of: version (1 byte), fields, HMAC-SHA256 of what precedes and the endpoint cut to 128 bits. The longest, of a search for
 * 100 characters, stays below the contract's 512.
 */
export class Cursors {
  readonly #innerKey: Buffer
  readonly #outerKey: Buffer

  constructor(secret: Buffer) {
    this.#innerKey = padded(secret, 0x36)
    this.#outerKey = padded(secret, 0x5c)
  }

  seal(endpoint: string, fields: readonly Field[]): string {
    const payload = Buffer.concat([versionByte, ...fields.map(encodeField)])
    return Buffer.concat([payload, this.#sign(endpoint, payload)]).toString('base64url')
  }

  /** The fields of a cursor; null for what this service did not seal for this endpoint. */
  open(endpoint: string, cursor: string): Field[] | null {
    if (!/^[\w-]+$/.test(cursor)) return null
    const bytes = Buffer.from(cursor, 'base64url')
    if (bytes.length <= signatureLength || bytes.toString('base64url') !== cursor) return null
    const payload = bytes.subarray(0, -signatureLength)
    if (!timingSafeEqual(this.#sign(endpoint, payload), bytes.subarray(-signatureLength))) return null
    return payload[0] === version ? decodeFields(payload.subarray(1)) : null
  }

  /** HMAC-SHA256 (RFC 2104) in two digests: `createHmac` takes twice as long, most of it to make its object. */
  #sign(endpoint: string, payload: Buffer): Buffer {
    const inner = hash(
      'sha256',
      Buffer.concat([this.#innerKey, Buffer.from(`${endpoint}\0`), payload]),
      'buffer',
    )
    return hash('sha256', Buffer.concat([this.#outerKey, inner]), 'buffer').subarray(0, signatureLength)
  }
}

/** The key of an HMAC, filled up to the block of SHA-256 and mixed with one of its two pads. */
function padded(secret: Buffer, pad: number): Buffer {
  const key = Buffer.alloc(64)
  ;(secret.length > 64 ? hash('sha256', secret, 'buffer') : secret).copy(key)
  return key.map((byte) => byte ^ pad) as Buffer
}

/** 400: the cursor is none of ours, altered, or of another endpoint or tree. */
export function unusableCursor(): ErrorAnswer {
  return invalidParameter(
    'cursor',
    'cursor must be the nextCursor of a page of this endpoint, unaltered and of this service',
  )
}

/** 400: a parameter differs from the one that the cursor is bound to. */
export function boundDiffers(parameter: string): ErrorAnswer {
  return invalidParameter(
    parameter,
    `${parameter} differs from the one that the cursor was made with: leave it out or send the same`,
  )
}

/** Number: 0 and 6 bytes. Text: 1, length, UTF-8; or 2, length, 3 bytes a code point where that is shorter (no text takes more than 3 bytes a code point). */
function encodeField(field: Field): Buffer {
  if (typeof field === 'number') {
    const bytes = Buffer.alloc(7)
    bytes.writeUIntBE(field, 1, 6)
    return bytes
  }
  const utf8 = Buffer.from(field, 'utf8')
  // Only code points beyond 16 bits take more than 3 bytes.
  const packed = /[\ud800-\udfff]/.test(field) ? pack(field) : null
  const [tag, bytes] = packed === null || utf8.length <= packed.length ? [1, utf8] : [2, packed]
  const encoded = Buffer.allocUnsafe(3 + bytes.length)
  encoded[0] = tag
  encoded.writeUInt16BE(bytes.length, 1)
  bytes.copy(encoded, 3)
  return encoded
}

function pack(text: string): Buffer {
  return Buffer.from(
    [...text].flatMap((char) => [
      char.codePointAt(0)! >> 16,
      (char.codePointAt(0)! >> 8) & 255,
      char.codePointAt(0)! & 255,
    ]),
  )
}

function decodeFields(bytes: Buffer): Field[] {
  const fields: Field[] = []
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] === 0) {
      fields.push(bytes.readUIntBE(at + 1, 6))
      at += 7
    } else {
      const text = bytes.subarray(at + 3, at + 3 + bytes.readUInt16BE(at + 1))
      fields.push(bytes[at] === 1 ? text.toString('utf8') : unpack(text))
      at += 3 + text.length
    }
  }
  return fields
}

function unpack(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) text += String.fromCodePoint(bytes.readUIntBE(at, 3))
  return text
}
