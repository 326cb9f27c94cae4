import type { Counters } from '#metering/store.ts'
import type { Release } from '#release/release.ts'
import type { Followed } from '../followed.ts'
import type { MakeAccount } from '../site/sign-up.ts'
import type { SiteProxy } from '../site/site-proxy.ts'
import type { Site } from '../site/site.ts'
import type { OnAnswered } from './answered-request.ts'
import type { ClientAddresses, TrustedProxies } from './client-address.ts'
import type { Cursors } from './cursor.ts'
import type { Handlers } from './handler.ts'
import type { TreeLog } from './tree-log.ts'
import type { Router } from './router.ts'
import type { HealthLog, StoreHealth } from './store-health.ts'

/** What requests are answered with. */
export interface Dependencies {
  router: Router
  counters: Counters
  cursors: Cursors
  release: Followed<Release>
  handlers: Handlers
  site: Followed<Site>
  /** Null if the site is served from the tree. */
  siteProxy: SiteProxy | null
  /** Creates an account for the sign-up form; null if no sign-up is offered. */
  makeAccount: MakeAccount | null
  clientAddresses: ClientAddresses
  trustedProxies: TrustedProxies
  /** Requests a minute that a client address may make without a key. */
  publicPerMinute: number
  /** Null without metrics and access log. */
  onAnswered: OnAnswered | null
  storeHealth: StoreHealth
  treeLog: TreeLog
  log: HealthLog
}
