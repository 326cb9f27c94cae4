import type { IncomingMessage } from 'node:http'
import type { ParseError } from './parse-error.ts'

/** The requests whose bodies are being read, each with the function that ends the reading. */
const readers = new WeakMap<IncomingMessage, (error: Error) => void>()

/** The body of a request did not arrive whole. */
export class BrokenBody extends Error {
  override name = 'BrokenBody'
}

/** Reads a body of a known length. @throws {BrokenBody} it does not arrive in time */
export async function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: Error) => reject(new BrokenBody('the body did not arrive', { cause }))
    readers.set(req, fail)
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', resolve)
    req.on('error', fail)
    req.on('close', () => fail(new Error('the connection was closed')))
  }).finally(() => readers.delete(req))
  return Buffer.concat(chunks)
}

/**
 * Ends the reading of a body that Node's parser gave up. Node reports such a fault only to the
 * server, so the reader would wait without end. Returns false if nothing reads the body; its
 * response then ends by itself.
 */
export function failBody(req: IncomingMessage, error: ParseError): boolean {
  const fail = readers.get(req)
  fail?.(error)
  return fail !== undefined
}
