import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeBody } from '../../harness/http-client.ts'

/** A response as received over the socket. */
export interface RawAnswer {
  status: number
  /** The reason phrase. */
  reason: string
  /** Keyed by name in lower case. */
  headers: Record<string, string>
  /** The decoded text. */
  text: string
}

/**
 * Sends bytes as they are (a string is one character a byte) and returns every response until the
 * server closes. Pieces are sent separately, so that they arrive separately. An empty one closes
 * the client's side.
 *
 * @throws {Error} the server neither answers nor closes, or resets the connection before its answer
 *   has come
 */
export async function sendRaw(origin: string, ...pieces: (string | Buffer)[]): Promise<RawAnswer[]> {
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', noDelay: true })
  const chunks: Buffer[] = []
  const fault: { error?: Error } = {}
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', (error) => (fault.error = error))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.setTimeout(60_000, () => socket.destroy(new Error('the server neither answers nor closes')))
  await Promise.race([once(socket, 'connect'), closed])
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) await sleep(20)
    if (piece.length === 0) socket.end()
    else if (socket.writable) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)
  }
  await closed
  if (fault.error && chunks.length === 0) throw fault.error
  return parseAnswers(Buffer.concat(chunks))
}

/**
 * Returns a request with these headers, each on its own line. `Connection: close` ends the exchange
 * with its response.
 */
export function rawRequest(line: string, ...headers: string[]): string {
  return [line, ...headers, 'Connection: close', '', ''].join('\r\n')
}

function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = bytes; rest.length > 0;) {
    const end = rest.indexOf('\r\n\r\n')
    const [line, ...fields] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const [, digits, reason = ''] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(line!) ?? []
    const status = Number(digits)
    if (end < 0 || Number.isNaN(status))
      throw new Error(`no HTTP answer: ${rest.toString('latin1').slice(0, 200)}`)
    const headers = Object.fromEntries(
      fields.map((field) => {
        const colon = field.indexOf(':')
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
      }),
    )
    const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0)
    const text = decodeBody(headers['content-encoding'], rest.subarray(end + 4, bodyEnd)).toString('utf8')
    answers.push({ status, reason, headers, text })
    rest = rest.subarray(bodyEnd)
  }
  return answers
}
