import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startListening } from './start-listening.ts'

/**
 * The state of the connection: normal; every response 4 s late; cut off in the middle of a
 * response; closed.
 */
export type RelayMode = 'open' | 'slow' | 'short' | 'closed'

/** Forwards a port, so that the connection to it can be slow, cut off or lead elsewhere. */
export interface Relay {
  port: number
  /** Forwards another port to new connections. */
  leadTo(port: number): void
  become(mode: RelayMode): void
  close(): void
}

export async function startRelay(to: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  let mode: RelayMode = 'open'
  const server = createServer((near) => {
    if (mode === 'closed') return void near.destroy()
    const far = connect(to, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.on('data', (bytes) => void pass(near, bytes as Buffer))
  })
  const pass = async (near: Socket, bytes: Buffer) => {
    if (mode === 'slow') await sleep(4_000)
    if (mode !== 'short') return void near.write(bytes)
    near.write(bytes.subarray(0, bytes.length - 40))
    near.destroySoon()
  }
  const become = (next: RelayMode) => {
    mode = next
    if (mode === 'closed') for (const socket of sockets) socket.destroy()
  }
  const port = await startListening(server)
  return { port, become, leadTo: (next) => void (to = next), close: () => (server.close(), become('closed')) }
}
