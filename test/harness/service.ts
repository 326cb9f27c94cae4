import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { defaultPlans, type Plan } from '#contract/plans.ts'
import type { Clock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { signUp } from '#metering/sign-up.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import type { BuildOptions } from '#nightly/build-options.ts'
import type { BuildSummary } from '#nightly/build.ts'
import { TrustedProxies } from '#proxy/http/client-address.ts'
import type { ConnectionLimits } from '#proxy/http/connections.ts'
import { startProxy } from '#proxy/start.ts'
import { folderTree, type Tree } from '#release/tree.ts'
import { buildTree } from '../nightly/small-corpus.ts'
import { testClock, type TestClock } from './clock.ts'
import { send, type HttpAnswer, type RequestOptions } from './http-client.ts'

/** A plan without limits that a test could meet. */
export const amplePlan: Plan = { name: 'ample', perPeriod: null, perMinute: 1_000_000_000 }

export interface ServiceOptions {
  /** A folder for the tree and the store. */
  folder: string
  /** Built before the start; without it nothing is published. */
  corpusFolder?: string
  plans?: readonly Plan[]
  publicPerMinute?: number
  trustProxy?: string
  /** Accounts a day that an address may make for itself; no sign-up is offered unless given. */
  signUpPerDay?: number
  /** How long the store waits for another process that holds it. */
  patienceMs?: number
  /** Another server that has the site. */
  siteUrl?: URL
  /** Whether the build's analysers find words; not unless given. */
  analysers?: boolean
  /** Read in the place of the folder. */
  tree?: Tree
  /** Limits of connections, where the usual ones are too long to wait for. */
  limits?: Partial<ConnectionLimits>
  /** Of the meter; the build has the same. One that stands still unless given. */
  clock?: Clock
  /** Any free one unless given. */
  port?: number
}

/**
 * The real thing in this process: a built tree, a SQLite file, a listening server. Only its clock
 * is the test's.
 */
export interface Service {
  origin: string
  store: MeterStore
  clock: TestClock
  /** What was logged as an error. */
  errors: string[]
  /** Makes a key; the plan is `ample` unless named. */
  newKey(account?: string, plan?: string): Promise<string>
  /** A request below /v1, held against the OpenAPI document. */
  get(path: string, options?: RequestOptions): Promise<HttpAnswer>
  build(corpusFolder: string, options?: Partial<BuildOptions>): Promise<BuildSummary>
  /** Takes up what was built, now. */
  refresh(): Promise<void>
  /** How many connections the server has open. */
  connections(): Promise<number>
  stop(): Promise<void>
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const clock = (options.clock ?? testClock()) as TestClock
  const plans = options.plans ?? [...defaultPlans, amplePlan]
  const outFolder = join(options.folder, 'dist')
  const runBuild = (corpusFolder: string, more: Partial<BuildOptions> = {}) =>
    // What analysers find, the model of the tests does not know.
    buildTree(corpusFolder, outFolder, { clock, analysers: options.analysers ?? false, ...more })
  if (options.corpusFolder) await runBuild(options.corpusFolder)
  const errors: string[] = []
  const store = await openStore(`sqlite:${join(options.folder, 'store.sqlite')}`, {
    plans,
    clock,
    ...(options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }),
  })
  const context = { store, plans }
  const perDay = options.signUpPerDay
  const proxy = await startProxy({
    tree: options.tree ?? folderTree(outFolder),
    siteUrl: options.siteUrl,
    store,
    trustedProxies: new TrustedProxies(options.trustProxy ?? ''),
    publicPerMinute: options.publicPerMinute ?? 1_000_000_000,
    limits: { lastRequestMs: 0, ...options.limits },
    ...(perDay === undefined
      ? {}
      : { makeAccount: (account: string, address: string) => signUp(context, { account, address, perDay }) }),
    log: {
      info: () => {},
      error: (...args: unknown[]) => void errors.push(args.map((arg) => describe(arg)).join(' ')),
    },
  })
  proxy.server.listen(options.port ?? 0, '127.0.0.1')
  await once(proxy.server, 'listening')
  const origin = `http://127.0.0.1:${(proxy.server.address() as AddressInfo).port}`
  return {
    origin,
    store,
    clock,
    errors,
    newKey: async (account = 'tester', plan = 'ample') => (await createKey(context, { account, plan })).key,
    get: (path, request) => send(origin, `/v1${path}`, request),
    build: runBuild,
    refresh: proxy.reload,
    connections: () => promisify(proxy.server.getConnections.bind(proxy.server))(),
    stop: proxy.stop,
  }
}

function describe(arg: unknown): string {
  if (typeof arg === 'string') return arg
  const error = (arg as { err?: Error }).err
  return error?.stack ?? JSON.stringify(arg)
}
