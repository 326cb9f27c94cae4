import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** Makes a server listen for the running test, and returns its port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
