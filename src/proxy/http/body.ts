import type { ByteWriter } from '#kit/byte-writer.ts'
import { ownBytes } from '#kit/own-bytes.ts'
import type { Coding } from './coding.ts'

/** The bytes of an answer: made for one request, or cached for many. */
export type Body = TextBody | CachedBody

/** A body that is made for one request. */
export interface TextBody {
  /**
   * Its bytes as a text, one character a byte: V8 makes a text in less time than a Buffer of its
   * size, and Node sends it in one piece with the head.
   */
  byteText: string
}

/** A body that is sent many times. Each of its codings is made once, with its header fields. */
export interface CachedBody {
  identity: Buffer
  encoded: Map<Coding, EncodedBody>
}

/** A body in a coding, ready to be sent. */
export interface EncodedBody {
  /**
   * The bytes; as a text of one character a byte if it is short enough for one write with the head.
   */
  payload: Buffer | string
  /** The header fields that do not differ between requests (name, value, name, value …). */
  fields: readonly string[]
}

/**
 * Node writes a text of up to 16 KB at once from a buffer on its stack (`StreamBase::WriteString`);
 * this leaves room for the head.
 */
export const maxTextLength = 15_000

export function cachedBody(identity: Buffer): CachedBody {
  return { identity: ownBytes(identity), encoded: new Map() }
}

/** A text as a body. */
export function textBody(text: string): TextBody {
  return { byteText: Buffer.from(text, 'utf8').toString('latin1') }
}

/** A body of the bytes written so far. */
export function writtenBody(out: ByteWriter): TextBody {
  return { byteText: out.byteText() }
}

export function sizeOf(body: Body): number {
  return 'byteText' in body ? body.byteText.length : body.identity.length
}

export function bytesOf(body: Body): Buffer {
  return 'byteText' in body ? Buffer.from(body.byteText, 'latin1') : body.identity
}

/** Bytes in the form that is cheapest to send. */
export function payloadOf(bytes: Buffer): Buffer | string {
  return bytes.length <= maxTextLength ? bytes.toString('latin1') : ownBytes(bytes)
}
