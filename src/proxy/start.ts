import type { Server } from 'node:http'
import { promisify } from 'node:util'
import type { MeterStore } from '#metering/store.ts'
import type { Tree } from '#release/tree.ts'
import type { TrustedProxies } from './client-address.ts'
import { Cursors } from './cursor.ts'
import { createHandlers } from './handlers.ts'
import { LiveRelease } from './live-release.ts'
import { createProxyServer } from './server.ts'

/** How often the pointer of the tree is looked at. */
const followEveryMs = 1_000
/** How long requests under way may take once the proxy is to stop. */
const drainMs = 10_000

export interface ProxyOptions {
  tree: Tree
  store: MeterStore
  trustedProxies: TrustedProxies
  /** Requests a minute that a client address may make without a key. */
  publicPerMinute: number
  log: {
    info(message: string): void
    error(message: string): void
    error(context: object, message: string): void
  }
}

/** The proxy with all its parts, not yet listening. `stop` drains it and closes the store. */
export async function startProxy(options: ProxyOptions): Promise<{ server: Server; stop(): Promise<void> }> {
  const { store, tree, log } = options
  const live = new LiveRelease(tree, log)
  await live.follow(followEveryMs)
  const server = createProxyServer({
    ...options,
    live,
    cursors: new Cursors(await store.cursorSecret()),
    handlers: createHandlers(),
  })
  return {
    server,
    async stop() {
      live.stop()
      await drain(server)
      await store.close()
    },
  }
}

/** Takes no new connections, lets the requests under way end, then closes what is left. */
async function drain(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = promisify(server.close.bind(server))()
  server.closeIdleConnections()
  const impatience = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearTimeout(impatience)
}
