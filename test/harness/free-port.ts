import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * The ports of this process: a block below those that systems give to clients and to servers on
 * port 0 (from 32768), so that nothing takes a port between its choice and its use. Processes of
 * one run have neighbouring ids, and so different blocks.
 */
const blockPorts = 100
const firstPort = 20_000 + (process.pid % 120) * blockPorts
let drawn = 0

/** Returns a port that nobody listens on; the calls of a process take turns through its block. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < blockPorts; tries++) {
    const port = firstPort + (drawn++ % blockPorts)
    if (await isFree(port)) return port
  }
  throw new Error(`every port from ${firstPort} to ${firstPort + blockPorts - 1} is in use`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
