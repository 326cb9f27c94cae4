import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Ports that the tests choose, below those that systems give to clients and to servers on port 0
 * (from 32768), so that nothing else takes a port between its choice and its use.
 *
 * A process has a block of them. It listens on the first port of the block as long as it runs, so
 * no other process in any run has the same block.
 */
const firstPort = 20_000
const blockPorts = 100
const blocks = 120

let block: Promise<number> | undefined
let drawn = 0

/** Returns a port that nobody listens on; the calls of a process take turns through its block. */
export async function freePort(): Promise<number> {
  block ??= claimBlock()
  const start = await block
  for (let tries = 1; tries < blockPorts; tries++) {
    const port = start + 1 + (drawn++ % (blockPorts - 1))
    const server = await listenOn(port)
    if (!server) continue
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error(`every port from ${start} to ${start + blockPorts - 1} is in use`)
}

/** Returns the first port of a block that no other process has. */
async function claimBlock(): Promise<number> {
  for (let i = 0; i < blocks; i++) {
    const start = firstPort + ((process.pid + i) % blocks) * blockPorts
    const server = await listenOn(start)
    if (!server) continue
    server.unref()
    return start
  }
  throw new Error(`no block of ports from ${firstPort} is free`)
}

/** Listens on a port; null if another process does. */
async function listenOn(port: number): Promise<Server | null> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return server
  } catch {
    return null
  }
}
