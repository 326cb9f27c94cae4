import type { Server } from 'node:http'
import type { MeterStore } from '#metering/store.ts'
import type { Tree } from '#release/tree.ts'
import { ClientAddresses, type TrustedProxies } from './http/client-address.ts'
import type { ConnectionLimits } from './http/connections.ts'
import { Cursors } from './http/cursor.ts'
import { createHandlers } from './http/handlers.ts'
import { followedRelease } from './followed-release.ts'
import { createProxyServer } from './http/server.ts'
import { followedSite } from './site/followed-site.ts'
import { PagesOnDemand } from './site/pages-on-demand.ts'
import type { SignUpOutcome } from '#metering/sign-up.ts'

export interface ProxyOptions {
  tree: Tree
  store: MeterStore
  trustedProxies: TrustedProxies
  /** Requests a minute that a client address may make without a key. */
  publicPerMinute: number
  /** Where trial sign-up is offered: makes an account for a client address. Needs a tree in a folder. */
  signUp?: { folder: string; make: (account: string, address: string) => Promise<SignUpOutcome> } | undefined
  /** Limits of a connection other than the usual ones. */
  limits?: Partial<ConnectionLimits>
  log: {
    info(message: string): void
    error(message: string): void
    error(context: object, message: string): void
  }
}

/** A proxy at work. */
export interface RunningProxy {
  server: Server
  /** Looks at the pointer of the tree now, not only when it is next due. */
  refresh(): Promise<void>
  /** The same at somebody's word: what comes of it is logged whatever it is. */
  reload(): Promise<void>
  /** Drains the server and closes the store. */
  stop(): Promise<void>
}

/** The proxy with all its parts, not yet listening. @throws {StoreUnavailable} */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { store, tree, log } = options
  const cursors = new Cursors(await store.directory.cursorSecret())
  const release = followedRelease(tree, log)
  const site = followedSite(tree, log)
  await Promise.all([release.follow(tree.followEveryMs), site.follow(tree.followEveryMs)])
  const { signUp } = options
  const { server, connections } = createProxyServer(
    {
      ...options,
      counters: store.counters,
      release,
      cursors,
      site,
      pagesOnDemand: signUp ? new PagesOnDemand(signUp.folder, signUp.make) : null,
      handlers: createHandlers(),
      clientAddresses: new ClientAddresses(options.trustedProxies),
    },
    options.limits,
  )
  return {
    server,
    refresh: async () => {
      await Promise.all([release.refresh(), site.refresh()])
    },
    reload: async () => {
      await Promise.all([release.reload(), site.refresh()])
    },
    async stop() {
      release.stop()
      site.stop()
      await connections.drain()
      await store.close()
    },
  }
}
