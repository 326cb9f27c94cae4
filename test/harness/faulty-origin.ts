import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startListening } from './start-listening.ts'

export const faultyModes = [
  'silent',
  'reset',
  'cut',
  'missing',
  'redirect',
  'error',
  'html',
  'wrong',
  'endless',
] as const

/** The behaviours of an origin: correct, or one of the ways in which origins fail. */
type OriginMode = 'right' | (typeof faultyModes)[number]

/** An origin that serves a folder, and fails on demand. */
export interface FaultyOrigin {
  address: string
  mode: OriginMode
  /** The responses that replace the files at these paths. */
  instead: Map<string, Buffer>
  /** The number of bytes of endless bodies that were sent. */
  sentBytes: number
  /** Makes only the next request fail, in this way. */
  nextMode: OriginMode | null
  /** The requested paths, with the headers. */
  asked: { path: string; headers: Record<string, string | string[] | undefined>; body: string }[]
  /** Holds requests back until the returned function is called. */
  holdBack(): () => void
  close(): Promise<void>
}

export async function startFaultyOrigin(folder: string): Promise<FaultyOrigin> {
  let gate = Promise.resolve()
  const server: Server = createServer((req, res) => {
    const path = decodeURIComponent(req.url!)
    const asked = { path, headers: req.headers, body: '' }
    req.on('data', (piece: Buffer) => (asked.body += piece.toString()))
    origin.asked.push(asked)
    void gate
      .then(() => origin.instead.get(path) ?? readFile(join(folder, path)))
      .then(
        (bytes) => answer(origin, res, bytes),
        () => res.writeHead(404).end(),
      )
  })
  const origin: FaultyOrigin = {
    address: `http://127.0.0.1:${await startListening(server)}`,
    mode: 'right',
    nextMode: null,
    asked: [],
    instead: new Map(),
    sentBytes: 0,
    holdBack() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return origin
}

function takeMode(origin: FaultyOrigin): OriginMode {
  const { mode, nextMode } = origin
  origin.nextMode = null
  return nextMode ?? mode
}

function answer(origin: FaultyOrigin, res: ServerResponse, bytes: Buffer): void {
  const mode = takeMode(origin)
  const head = { 'content-type': 'application/json', 'content-length': bytes.length, 'x-origin': 'private' }
  if (mode === 'right') res.writeHead(200, head).end(bytes)
  else if (mode === 'reset') res.socket!.destroy()
  else if (mode === 'cut') {
    res.writeHead(200, head).write(bytes.subarray(0, bytes.length >> 1))
    setTimeout(() => res.socket!.destroy(), 5)
  } else if (mode === 'missing') res.writeHead(404).end('not here')
  else if (mode === 'redirect') res.writeHead(302, { location: '/elsewhere' }).end()
  else if (mode === 'error') res.writeHead(502).end('<html>Bad gateway</html>')
  else if (mode === 'html') res.writeHead(200, { 'content-type': 'text/html' }).end('<html>Hello</html>')
  else if (mode === 'wrong') {
    const other = Buffer.from(bytes)
    other[other.length >> 1]! ^= 1
    res.writeHead(200, head).end(other)
  } else if (mode === 'endless') {
    const piece = Buffer.alloc(1024 * 1024)
    const send = () => {
      origin.sentBytes += piece.length
      res.write(piece, (error) => void (error ?? setImmediate(send)))
    }
    send()
  }
  // Silent: it never answers.
}
