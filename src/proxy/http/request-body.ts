import type { IncomingMessage } from 'node:http'
import type { ParseError } from './parse-error.ts'

/** The requests whose bodies are being read, and what ends the reading of each. */
const readers = new WeakMap<IncomingMessage, (error: Error) => void>()

/** The body of a request did not arrive whole. */
export class BrokenBody extends Error {
  override name = 'BrokenBody'
}

/** Reads a body of a known length. @throws {BrokenBody} it does not arrive, or not in time */
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
 * Ends the reading of a body that Node's parser gave up. False where nobody reads it: then its
 * response ends by itself. Node tells such a fault to the server alone, and whoever reads the body
 * would wait for ever.
 */
export function failBody(req: IncomingMessage, error: ParseError): boolean {
  const fail = readers.get(req)
  fail?.(error)
  return fail !== undefined
}
