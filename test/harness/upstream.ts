import { createServer, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listen } from './listen.ts'

/** A server to which a proxy forwards, with its open connections. */
export interface Upstream {
  /** `http://127.0.0.1:<port>` */
  address: string
  sockets: ReadonlySet<Socket>
}

/** Starts an upstream for the running test (or hook). */
export async function startUpstream(answer: RequestListener): Promise<Upstream> {
  const server = createServer(answer)
  const sockets = new Set<Socket>()
  // Longer than the proxy keeps an idle connection, so that closed connections were closed by the
  // proxy.
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  // Called after the server has been closed, because later hooks come first.
  onTestFinished(() => server.closeAllConnections())
  const port = await listen(server)
  return { address: `http://127.0.0.1:${port}`, sockets }
}
