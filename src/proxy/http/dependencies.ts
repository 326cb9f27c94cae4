import type { Counters } from '#metering/store.ts'
import type { Release } from '#release/release.ts'
import type { Followed } from '../followed.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { OnAnswered } from './answered-request.ts'
import type { ClientAddresses, TrustedProxies } from './client-address.ts'
import type { Cursors } from './cursor.ts'
import type { Exchange } from './exchange.ts'
import type { FileCache } from './file-cache.ts'
import type { Handlers } from './handler.ts'
import type { TreeLog } from './tree-log.ts'
import type { HealthLog, StoreHealth } from './store-health.ts'

/** What requests are answered with. */
export interface Dependencies {
  counters: Counters
  cursors: Cursors
  release: Followed<Release>
  handlers: Handlers
  answers: AnswerCache
  files: FileCache
  /** The public address of the site, whose pages explain errors; null without a site. */
  siteUrl(): string | null
  /** Answers a path that no operation has. */
  answerOutsideApi(exchange: Exchange, path: string): void | Promise<void>
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
