import type { ByteWriter } from '#kit/byte-writer.ts'
import type { Coding } from './coding.ts'

/** Bytes to be sent: made for one request, or kept for many. */
export type Body = MadeBody | KeptBody

/** A body that is made for one request. */
export interface MadeBody {
  /**
   * Its bytes as a text, one character a byte: a text is made in less time than a Buffer of its
   * size, and Node sends it in one piece with the head.
   */
  byteText: string
}

/**
 * A body that is sent again and again: each of its codings, and the fields that go with it, are
 * made once.
 */
export interface KeptBody {
  identity: Buffer
  coded: Map<Coding, Coded>
}

/** A body in a coding, ready to be sent. */
export interface Coded {
  /**
   * The bytes; as a text of one character a byte where it is short enough to be sent in one piece
   * with the head.
   */
  payload: Buffer | string
  /** The header fields that are the same for every request, as the lines of a head. */
  lines: string
}

/**
 * Node writes a text of up to 16 KB at once from a buffer on its stack (`StreamBase::WriteString`);
 * so much is left for the body beside the head.
 */
export const longestText = 15_000

export function keptBody(identity: Buffer): KeptBody {
  return { identity, coded: new Map() }
}

/** A JSON text as a body. */
export function jsonBody(text: string): MadeBody {
  return { byteText: Buffer.from(text, 'utf8').toString('latin1') }
}

/** What was written as a body. */
export function writtenBody(out: ByteWriter): MadeBody {
  return { byteText: out.byteText() }
}

export function sizeOf(body: Body): number {
  return 'byteText' in body ? body.byteText.length : body.identity.length
}

export function bytesOf(body: Body): Buffer {
  return 'byteText' in body ? Buffer.from(body.byteText, 'latin1') : body.identity
}

/** Bytes as they are best sent. */
export function payloadOf(bytes: Buffer): Buffer | string {
  return bytes.length <= longestText ? bytes.toString('latin1') : bytes
}
