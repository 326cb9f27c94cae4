import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import { ByteReader, pushVarint } from '#kit/varint.ts'
import { StoreUnavailable } from '#metering/store.ts'

/**
 * The version, increased when a position starts to mean another item. Version 4 follows a new order
 * for languages with few clips: an older walk continues, and changes its order once.
 */
const version = 4
const readableVersions = [3, 4]
const signatureLength = 16

/**
 * Cursors: opaque, signed with the store's secret, valid in one scope only.
 *
 * A cursor is the base64url of: version (1 byte), the code points of its fields as varints, with a
 * NUL between fields, and an HMAC-SHA-256 of scope, NUL and all of this, truncated to 128 bits. The
 * scope (an operation and a tree) is signed but not sent, so a cursor of another scope fails like
 * an altered one. A code point takes at most 3 bytes, so the longest cursor, of a search for 100
 * characters, is shorter than the contract's 512 characters.
 */
export class Cursors {
  #key: KeyObject | undefined

  /** Without a secret, cursors can be neither sealed nor opened. */
  use(secret: Buffer): this {
    this.#key = createSecretKey(secret)
    return this
  }

  /** @param fields at least one; without NUL */
  seal(scope: string, fields: readonly string[]): string {
    const bytes: number[] = []
    pushVarint(bytes, version)
    for (const char of fields.join('\0')) pushVarint(bytes, char.codePointAt(0)!)
    return this.#sign(scope, String.fromCharCode(...bytes)).toString('base64url')
  }

  /** Returns the fields of a cursor; null for text that this service did not seal in this scope. */
  open(scope: string, cursor: string): string[] | null {
    const bytes = Buffer.from(cursor, 'base64url')
    if (bytes.length <= signatureLength || bytes.toString('base64url') !== cursor) return null
    const payload = bytes.subarray(0, -signatureLength)
    if (!timingSafeEqual(this.#sign(scope, payload.toString('latin1')), bytes)) return null
    const reader = new ByteReader(payload)
    if (!readableVersions.includes(reader.varint())) return null
    let text = ''
    while (reader.at < reader.bytes.length) text += String.fromCodePoint(reader.varint())
    return text.split('\0')
  }

  /** Returns a byte text and its signature, as bytes. The scope must be ASCII. */
  #sign(scope: string, payload: string): Buffer {
    if (!this.#key) throw new StoreUnavailable('cannot sign a cursor: the secret has not been read yet')
    const hmac = createHmac('sha256', this.#key).update(`${scope}\0${payload}`, 'latin1')
    return Buffer.from(payload + hmac.digest('latin1').slice(0, signatureLength), 'latin1')
  }
}
