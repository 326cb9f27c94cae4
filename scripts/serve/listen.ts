import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { Failure } from '../command-line.ts'

interface Place {
  host: string
  port: number
  /** Whether another service may listen there. */
  isPortShared: boolean
}

/** Whether processes can share a port (https://nodejs.org/api/net.html, `reusePort`). */
export const canReusePort = ['linux', 'freebsd', 'sunos', 'aix'].includes(process.platform)

/**
 * Makes a server listen, and returns its address.
 *
 * Each worker has a socket of its own, and the kernel spreads connections over them. If the primary
 * accepted them for all, it would lose the connections that it hands to a worker that is killed.
 *
 * @param portOption the option that the message names for another port
 * @throws {Failure} it cannot listen there
 */
export async function listen(
  server: Server,
  { host, port, isPortShared }: Place,
  portOption = 'port',
): Promise<AddressInfo> {
  try {
    server.listen({ host, port, reusePort: isPortShared || (cluster.isWorker && canReusePort) })
    await once(server, 'listening')
    return server.address() as AddressInfo
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = reasons[code ?? '']?.(portOption) ?? message
    throw new Failure(`cannot listen on ${host}:${port}: ${reason}`, { cause: error })
  }
}

const noSuchAddress = () => 'this machine has no such address. Choose another with --host'
const reasons: Record<string, (portOption: string) => string> = {
  EADDRINUSE: (option) => `the port is in use. Choose another with --${option}`,
  EACCES: (option) => `permission denied. Choose a port above 1023 with --${option}`,
  EADDRNOTAVAIL: noSuchAddress,
  ENOTFOUND: noSuchAddress,
}

/**
 * Returns the port for all workers: the given one, or a free one for 0. The workers can share a
 * port with each other, and so also with another service, which they would not notice. A port that
 * may be shared is left alone: even a socket that closes at once would take connections from the
 * other service.
 *
 * @throws {Failure} the port is taken, or nothing can listen on the host
 */
export async function probePort(place: Place): Promise<number> {
  if (place.isPortShared && place.port !== 0) return place.port
  const server = createServer()
  try {
    return (await listen(server, { ...place, isPortShared: false })).port
  } finally {
    server.close()
  }
}

/** The address as a URL. */
export function originOf({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}
