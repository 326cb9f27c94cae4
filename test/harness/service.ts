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
import { FolderTree, type Tree } from '#release/tree.ts'
import { buildTree } from '../nightly/small-corpus.ts'
import { testClock, type TestClock } from './clock.ts'
import { startListening } from './start-listening.ts'
import { send, type HttpAnswer, type RequestOptions } from './http-client.ts'

/** A plan whose limits no test reaches. */
export const amplePlan: Plan = { name: 'ample', perPeriod: null, perMinute: 1_000_000_000 }

export interface ServiceOptions {
  /** A folder for the tree and the store. */
  folder: string
  /** Built before the start; without it, nothing is published. */
  corpusFolder?: string
  plans?: readonly Plan[]
  publicPerMinute?: number
  trustProxy?: string
  /** The number of accounts per day that an address may create; by default, sign-up is closed. */
  signUpPerDay?: number
  /** The address of the store; by default, a SQLite file in the folder. */
  storeUrl?: string
  /** The time that the store waits for another process that holds it. */
  patienceMs?: number
  /** Another server that has the site. */
  siteUrl?: URL
  /** Whether the build's analysers find words; false by default. */
  analysers?: boolean
  /** A tree to read instead of the folder. */
  tree?: Tree
  /** Limits of connections, if the usual ones are too long to wait for. */
  limits?: Partial<ConnectionLimits>
  /** The clock of the meter and of the build; by default, one that stands still. */
  clock?: Clock
  /** By default, any free one. */
  port?: number
}

/** A real service: a built tree, a SQLite file and a server. The test controls only its clock. */
export interface Service {
  origin: string
  store: MeterStore
  clock: TestClock
  /** The logged errors. */
  errors: string[]
  /** Creates a key, with the plan `ample` by default. */
  newKey(account?: string, plan?: string): Promise<string>
  /** Sends a request below /v1, and checks the response against the OpenAPI document. */
  get(path: string, options?: RequestOptions): Promise<HttpAnswer>
  build(corpusFolder: string, options?: Partial<BuildOptions>): Promise<BuildSummary>
  /** Loads the latest build now. */
  refresh(): Promise<void>
  /** Returns the number of connections that the server has open. */
  connections(): Promise<number>
  stop(): Promise<void>
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const clock = (options.clock ?? testClock()) as TestClock
  const plans = options.plans ?? [...defaultPlans, amplePlan]
  const outFolder = join(options.folder, 'dist')
  const runBuild = (corpusFolder: string, more: Partial<BuildOptions> = {}) =>
    // The tests' model does not know the words that analysers find.
    buildTree(corpusFolder, outFolder, { clock, analysers: options.analysers ?? false, ...more })
  if (options.corpusFolder) await runBuild(options.corpusFolder)
  const errors: string[] = []
  const store = await openStore(options.storeUrl ?? `sqlite:${join(options.folder, 'store.sqlite')}`, {
    plans,
    clock,
    mayCreate: true,
    ...(options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }),
  })
  const context = { store, plans }
  const perDay = options.signUpPerDay
  const proxy = await startProxy({
    tree: options.tree ?? new FolderTree(outFolder),
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
  const origin = `http://127.0.0.1:${await startListening(proxy.server, options.port)}`
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
