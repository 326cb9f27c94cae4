import type { Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { startListening } from './start-listening.ts'

/** Makes a server listen for the running test, and returns its port. */
export async function listen(server: Server): Promise<number> {
  onTestFinished(() => void server.close())
  return await startListening(server)
}
