import type { MeterStore } from '#metering/meter-store.ts'
import { StoreUnavailable } from '#metering/store.ts'
import type { Tree } from '#release/tree.ts'
import type { AccessLog } from './admin/access-log.ts'
import { Metrics } from './admin/metrics.ts'
import { ReadinessProbe, type ProcessStatus } from './admin/readiness.ts'
import { FollowedRelease, type FollowedLog } from './followed.ts'
import { handlers } from './handlers.ts'
import { AnswerCache, FileCache } from './http/caches.ts'
import type { ConnectionLimits } from './http/connections.ts'
import { Cursors } from './http/cursor.ts'
import type { Dependencies, Exchange } from './http/exchange.ts'
import { FaultLog, type ErrorLog } from './http/fault-log.ts'
import { ProxyServer } from './http/server.ts'
import { mustUnpack } from './filter/read-known.ts'
import type { MakeAccount } from './site/forms.ts'
import { answerOutsideApi } from './site/handle.ts'
import { SiteProxy } from './site/site-proxy.ts'
import { followedSite } from './site/site.ts'

interface ProxyOptions extends Pick<Dependencies, 'trustedProxies' | 'publicPerMinute'> {
  tree: Tree
  store: MeterStore
  /** Creates an account for a client address; without it, sign-up is closed. */
  makeAccount?: MakeAccount | undefined
  /** Limits of connections that differ from the defaults. */
  limits?: Partial<ConnectionLimits>
  /** A server with the site; by default, the site of the tree is served. */
  siteUrl?: URL | undefined
  /** Whether requests are measured, so that `status` has metrics. */
  isMeasured?: boolean
  accessLog?: AccessLog | undefined
  log: FollowedLog & ErrorLog
}

/** The time to wait before the store is asked again for the secret of the cursors. */
const secretRetryMs = 100

/** Starts the proxy. Its server does not listen yet. */
export async function startProxy(options: ProxyOptions) {
  const { tree, log, accessLog } = options
  const cursors = new Cursors()
  let isDraining = false
  await readSecret(options.store, cursors, () => isDraining)
  const release = new FollowedRelease(tree, log)
  const site = followedSite(tree, log)
  await Promise.all([release, site].map((follower) => follower.follow(tree.followEveryMs, tree.retryUpToMs)))
  const files = new FileCache()
  const answers = new AnswerCache()
  const caches = { files: files.count, answers: answers.count }
  const metrics = options.isMeasured ? new Metrics(release, tree, caches) : null
  const counters = metrics ? metrics.measureCounters(options.store.counters) : options.store.counters
  const store = { ...options.store, counters }
  const report = (exchange: Exchange) => {
    const request = exchange.logFields()
    metrics?.countRequest(request, exchange.treeFault)
    accessLog?.write(request)
  }
  const readiness = new ReadinessProbe(release, counters)
  const siteProxy = options.siteUrl ? new SiteProxy(options.siteUrl) : null
  const makeAccount = options.makeAccount ?? null
  const siteDependencies = { site, siteProxy, store, makeAccount, treeFolder: tree.folder }
  const { server, connections } = new ProxyServer(
    {
      counters,
      cursors,
      release,
      handlers,
      mustUnpack,
      answers,
      files,
      site,
      answerOutsideApi: (exchange, path) => answerOutsideApi(exchange, path, siteDependencies),
      trustedProxies: options.trustedProxies,
      publicPerMinute: options.publicPerMinute,
      onAnswered: metrics || accessLog ? report : null,
      faultLog: new FaultLog(log),
    },
    options.limits,
  )
  return {
    server,
    /** Checks the pointer of the tree now, not only when it is next due. Logs the outcome. */
    async reload(): Promise<void> {
      accessLog?.reopen()
      await Promise.all([release.reload(), site.refresh()])
    },
    /** Whether it is ready for requests, and its metrics. */
    async status(): Promise<ProcessStatus> {
      return {
        readiness: await readiness.read(isDraining),
        metrics: metrics ? await metrics.read() : [],
      }
    },
    /** Drains the server and closes the store. */
    async stop(): Promise<void> {
      isDraining = true
      release.stop()
      site.stop()
      await connections.drain()
      release.current?.removeUser()
      siteProxy?.close()
      await store.close()
      await accessLog?.close()
    },
  }
}

/** Gives the cursors their secret, now or, if the store cannot be reached, as soon as it can. */
async function readSecret(store: MeterStore, cursors: Cursors, isStopped: () => boolean): Promise<void> {
  try {
    cursors.use(await store.directory.cursorSecret())
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    if (!isStopped()) setTimeout(() => void readSecret(store, cursors, isStopped), secretRetryMs).unref()
  }
}
