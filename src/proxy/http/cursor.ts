import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import { StoreUnavailable } from '#metering/store.ts'

/** A field of a cursor: a text, or a whole number below 2⁴⁸. */
export type Field = string | number

const version = 2
const signatureLength = 16

/**
 * Cursors: opaque, signed with the store's secret, valid in one scope only.
 *
 * A cursor is base64url of: version (1 byte), fields, and an HMAC-SHA-256 of scope, NUL, version
 * and fields, cut to 128 bits. The scope (an endpoint and a tree) is signed but not sent: a cursor
 * of another scope fails like an altered one. The longest cursor, of a search for 100 characters,
 * is shorter than the contract's 512 characters.
 */
export class Cursors {
  #key: KeyObject | undefined

  constructor(secret?: Buffer) {
    if (secret) this.use(secret)
  }

  /** Until there is a secret, cursors can be neither sealed nor opened. */
  use(secret: Buffer): void {
    this.#key = createSecretKey(secret)
  }

  seal(scope: string, fields: readonly Field[]): string {
    const signed = Buffer.concat([Buffer.of(version), ...fields.map(fieldBytes)])
    return Buffer.concat([signed, this.#sign(scope, signed)]).toString('base64url')
  }

  /** The fields of a cursor; null for text that this service did not seal in this scope. */
  open(scope: string, cursor: string): Field[] | null {
    if (!/^[\w-]+$/.test(cursor)) return null
    const bytes = Buffer.from(cursor, 'base64url')
    if (bytes.length <= signatureLength || bytes.toString('base64url') !== cursor) return null
    const signed = bytes.subarray(0, -signatureLength)
    if (!timingSafeEqual(this.#sign(scope, signed), bytes.subarray(-signatureLength))) return null
    return signed[0] === version ? readFields(signed.subarray(1)) : null
  }

  #sign(scope: string, signed: Buffer): Buffer {
    if (!this.#key) throw new StoreUnavailable('cannot sign a cursor: the secret has not been read yet')
    const hmac = createHmac('sha256', this.#key).update(`${scope}\0`).update(signed)
    return hmac.digest().subarray(0, signatureLength)
  }
}

/**
 * Number: 0 and 6 bytes. Text: 1, length, UTF-8; or, with code points beyond 16 bits, 2, length, 3
 * bytes a code point. So no text takes more than 3 bytes a code point.
 */
function fieldBytes(field: Field): Buffer {
  if (typeof field === 'number') {
    const bytes = Buffer.alloc(7)
    bytes.writeUIntBE(field, 1, 6)
    return bytes
  }
  const isPacked = /[\ud800-\udfff]/.test(field)
  const text = isPacked ? pack(field) : Buffer.from(field)
  return Buffer.concat([Buffer.of(isPacked ? 2 : 1, text.length >>> 8, text.length), text])
}

function pack(text: string): Buffer {
  const codePoints = [...text].map((char) => char.codePointAt(0)!)
  return Buffer.from(codePoints.flatMap((code) => [code >> 16, (code >> 8) & 255, code & 255]))
}

function readFields(bytes: Buffer): Field[] {
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
