import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import pino from 'pino'
import type { Plan } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import type { Administration } from '#metering/administer.ts'
import { signUp } from '#metering/sign-up.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { AccessLog } from '#proxy/admin/access-log.ts'
import type { ProcessStatus } from '#proxy/admin/process-status.ts'
import { createAdminServer } from '#proxy/admin/server.ts'
import { TrustedProxies } from '#proxy/http/client-address.ts'
import type { MakeAccount } from '#proxy/site/sign-up.ts'
import { startProxy, type RunningProxy } from '#proxy/start.ts'
import {
  reloadMessage,
  startWorkers,
  type StartReport,
  type StatusAnswer,
  type StatusQuestion,
} from '#proxy/workers.ts'
import { parseOriginAddress } from '#release/origin/origin-address.ts'
import { isHttpAddress, openTree } from '#release/origin/open-tree.ts'
import type { Tree } from '#release/tree.ts'
import {
  Failure,
  orUsageError,
  positionals,
  UsageError,
  wholeNumber,
  type Command,
  type Input,
} from '../command-line.ts'
import { unknownSettings } from '../unknown-settings.ts'
import { hearHangup } from './hangup.ts'
import { systemdNotifier } from './systemd-notify.ts'
import { openStoreFrom, readDurability, readPlans, servedStoreOptions } from './store-options.ts'

/** Waited for where it is not there yet, for `build` makes it under the same name. */
const defaultData = 'dist'

export const serveTree: Command = {
  options: {
    data: {
      value: 'DIR|URL',
      description: 'the published tree: a folder, or the address of an origin that serves it',
      default: defaultData,
    },
    ...servedStoreOptions,
    host: { value: 'H', description: 'address to listen on', default: '127.0.0.1' },
    port: { value: 'N', description: 'port to listen on; 0: any free one', default: '8080' },
    workers: {
      value: 'N',
      description: 'processes that share port and counters',
      default: String(availableParallelism()),
      shownDefault: 'as many as the machine has cores',
    },
    'public-per-minute': {
      value: 'N',
      description: 'requests a minute that an address may make without a key',
      default: '600',
    },
    'trust-proxy': {
      value: 'LIST',
      description: 'addresses and networks whose X-Forwarded-For counts, comma separated',
    },
    signup: { description: 'let anyone make an account with a trial key, on the page /signup/' },
    'signup-per-day': {
      value: 'N',
      description: 'how many accounts a client address can create per day with --signup',
      default: '5',
    },
    'data-token': {
      value: 'TOKEN',
      description: 'bearer credential for that origin; better set in the environment',
    },
    'admin-port': {
      value: 'N',
      description: 'port of a listener of its own for /livez, /readyz and /metrics; 0: any free one',
    },
    'admin-host': { value: 'H', description: 'address of that listener', default: '127.0.0.1' },
    'access-log': {
      value: 'FILE',
      description: 'where a line of JSON for every request goes: a file, or - for standard output',
    },
    'data-cache': {
      value: 'DIR',
      description: 'where what a start needs of the tree is kept, with --data over HTTP',
      default: 'var/origin',
    },
    'data-interval': {
      value: 'SECONDS',
      description: 'how often to look for another release, with --data over HTTP',
      default: '10',
    },
    site: {
      value: 'URL',
      description: 'a server that has the site, in the place of the one in the tree',
    },
    'insecure-origin': { description: 'let --data be plain http on other than private addresses' },
    'log-level': {
      value: 'LEVEL',
      description: 'fatal, error, warn, info, debug or silent',
      default: 'info',
    },
  },
  run: (input) => (cluster.isPrimary ? serve(input) : serveAsWorker(input)),
}

/** Serves in a worker. If it cannot, its primary reports why, once for all workers. */
async function serveAsWorker(input: Input): Promise<number> {
  try {
    await serve(input)
    return 0
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await new Promise((sent) => process.send!({ fault: error.message } satisfies StartReport, sent))
    return 1
  } finally {
    // Its channel to the primary would keep it alive.
    process.disconnect!()
  }
}

async function serve(input: Input): Promise<void> {
  const settings = readSettings(input)
  if (cluster.isPrimary)
    for (const line of await unknownSettings(input.env, input.commands)) settings.log.warn(line)
  // Heard from the beginning: before anything listens the signal would end the process.
  const hangup = hearHangup()
  const running =
    settings.workers > 1 && cluster.isPrimary
      ? await superviseAll(input, settings)
      : await serveAlone(input, settings)
  // Heard from now on: who reads the next line may send a signal at once.
  const stopped = Promise.race([stopSignal(input.env), hangup.terminalGone])
  hangup.reload = () => {
    settings.log.info('SIGHUP: reading the release and the plans again')
    void running.reload()
  }
  if (cluster.isWorker) {
    process.on('message', (told) => void heed(told, running))
    process.send!({ listening: running.address } satisfies StartReport)
  }
  const admin = cluster.isPrimary ? await listenForAdmins(running, settings) : null
  if (admin) input.say(`admin listener on ${originOf(admin.address() as AddressInfo)}`)
  const isAlive = async () => (await running.statuses()).some((status) => status !== null)
  const notifier = systemdNotifier(cluster.isPrimary ? input.env : {}, isAlive)
  notifier.ready()
  if (cluster.isPrimary) input.say(`listening on ${originOf(running.address)}`)
  const reason = await stopped
  notifier.stopping()
  settings.log.info(`${reason}: draining`)
  endWithin(stopTimeoutMs, settings.log)
  await running.stop()
  // Last, so that it can tell that the others are draining.
  admin?.close()
  admin?.closeAllConnections()
}

/** How long a process may take to end once it was told to: the drain, and a while for the rest. */
const stopTimeoutMs = 10_500

/** Ends the process at the limit, whatever still keeps it alive. */
function endWithin(limitMs: number, log: pino.Logger): void {
  setTimeout(() => {
    log.error('the process did not end in time: exiting')
    process.exit(1)
  }, limitMs).unref()
}

/** Does in a worker what its primary asks of it. */
async function heed(told: unknown, running: Running): Promise<void> {
  if (told === reloadMessage) return await running.reload()
  const { ask } = told as StatusQuestion
  const [status] = await running.statuses()
  if (process.connected) process.send!({ ask, status: status! } satisfies StatusAnswer)
}

/**
 * The listener of `--admin-port`, listening; null where none is wanted.
 *
 * @throws {Failure} it cannot listen; the service is stopped
 */
async function listenForAdmins(running: Running, settings: Settings): Promise<Server | null> {
  if (settings.adminPort === null) return null
  const server = createAdminServer(running.statuses)
  const place = { host: settings.adminHost, port: settings.adminPort }
  try {
    server.listen(place.port, place.host)
    await once(server, 'listening')
    return server
  } catch (error) {
    await running.stop()
    const fault = listenFault(error as NodeJS.ErrnoException, place, 'admin-port')
    throw new Failure(fault, { cause: error })
  }
}

interface Settings {
  host: string
  port: number
  workers: number
  /** Null where there is no admin listener. */
  adminPort: number | null
  adminHost: string
  /** A path, or `-`; null where there is no access log. */
  accessLog: string | null
  publicPerMinute: number
  /** Accounts a day for an address; null where no sign-up is offered. */
  signUpPerDay: number | null
  siteUrl: URL | undefined
  trustedProxies: TrustedProxies
  tree: Tree
  plans: readonly Plan[]
  log: pino.Logger
}

/** @throws {UsageError | Failure} what is wrong with the options */
function readSettings(input: Input): Settings {
  positionals(input)
  readDurability(input)
  return {
    host: input.values.host!,
    port: wholeNumber('port', input.values.port!, 0, 65_535),
    workers: wholeNumber('workers', input.values.workers!, 1, 1024),
    adminPort: readAdminPort(input),
    adminHost: input.values['admin-host']!,
    accessLog: readAccessLog(input),
    publicPerMinute: wholeNumber('public-per-minute', input.values['public-per-minute']!, 1, 1_000_000_000),
    siteUrl: readSiteUrl(input),
    signUpPerDay: readSignUp(input),
    trustedProxies: orUsageError(() => new TrustedProxies(input.values['trust-proxy'] ?? '')),
    tree: orUsageError(() => treeOf(input)),
    plans: readPlans(input),
    log: createLog(input),
  }
}

/** Something that listens. */
interface Running {
  address: AddressInfo
  reload(): Promise<void>
  /** Of every process that serves; null where one does not tell. */
  statuses(): Promise<(ProcessStatus | null)[]>
  stop(): Promise<void>
}

/**
 * Starts the workers, once it is certain that the store opens: what is wrong with it is then said
 * once.
 */
async function superviseAll(input: Input, settings: Settings): Promise<Running> {
  const { plans, workers, log } = settings
  const store = await openStoreFrom(input, plans)
  await store.close()
  const port = await probePort(settings)
  cluster.setupPrimary({
    exec: process.argv[1]!,
    args: [...process.argv.slice(2), '--port', String(port)],
  })
  try {
    return await startWorkers(workers, log)
  } catch (error) {
    throw new Failure((error as Error).message)
  }
}

/** Serves in this process. @throws {Failure} it cannot open the store or cannot listen */
async function serveAlone(input: Input, settings: Settings): Promise<Running> {
  const store = await openStoreFrom(input, settings.plans, { log: settings.log })
  const { plans, signUpPerDay } = settings
  const desk: Administration = { store, plans, clock: systemClock, random: randomBytes }
  const makeAccount: MakeAccount = (account, address) =>
    signUp(desk, { account, address, perDay: signUpPerDay! })
  try {
    const proxy = await startProxy({
      ...settings,
      store,
      isMeasured: settings.adminPort !== null,
      accessLog: openAccessLog(settings),
      makeAccount: signUpPerDay === null ? undefined : makeAccount,
    })
    return {
      address: await listen(proxy, settings),
      reload: async () => {
        await reloadPlans(input, desk, settings.log)
        await proxy.reload()
      },
      statuses: async () => [await proxy.status()],
      stop: proxy.stop,
    }
  } catch (error) {
    await store.close()
    throw error instanceof StoreUnavailable ? new Failure(error.message, { cause: error }) : error
  }
}

/** Reads the plans file again. Plans that are wrong, or lack one that is in use, change nothing. */
async function reloadPlans(input: Input, desk: Administration, log: pino.Logger): Promise<void> {
  if (!input.values.plans) return
  try {
    const plans = readPlans(input)
    await desk.store.usePlans(plans)
    desk.plans = plans
    log.info(`the plans are now ${plans.map(({ name }) => name).join(', ')}`)
  } catch (error) {
    log.error({ err: error }, `the plans stay as they were: ${(error as Error).message}`)
  }
}

/** @throws {Failure} the address cannot be listened on; the proxy is stopped */
async function listen({ server, stop }: RunningProxy, settings: Settings): Promise<AddressInfo> {
  try {
    const { host, port } = settings
    // Each worker has a socket of its own, and the kernel spreads connections over them. A primary
    // that accepts for all loses the connections it hands to a worker that is killed.
    server.listen({ host, port, reusePort: cluster.isWorker && canReusePort })
    await once(server, 'listening')
    return server.address() as AddressInfo
  } catch (error) {
    await stop()
    throw new Failure(listenFault(error as NodeJS.ErrnoException, settings), { cause: error })
  }
}

/**
 * Where sockets of several processes can listen on one port (https://nodejs.org/api/net.html,
 * `reusePort`).
 */
const canReusePort = ['linux', 'freebsd', 'sunos', 'aix'].includes(process.platform)

/**
 * The port for all workers; any free one for 0. They share it among themselves, so that another
 * service on it would go unnoticed: this finds it.
 *
 * @throws {Failure} somebody listens on the port, or the host cannot be listened on
 */
async function probePort(settings: Settings): Promise<number> {
  const server = createServer()
  try {
    server.listen(settings.port, settings.host)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch (error) {
    throw new Failure(listenFault(error as NodeJS.ErrnoException, settings), { cause: error })
  } finally {
    server.close()
  }
}

function readSiteUrl(input: Input): URL | undefined {
  const { site } = input.values
  if (site === undefined) return undefined
  return orUsageError(() => parseOriginAddress(site, true), '--site: ')
}

/** Accounts a day that an address may make; null where no sign-up is offered. */
function readSignUp(input: Input): number | null {
  const perDay = wholeNumber('signup-per-day', input.values['signup-per-day']!, 1, 1_000_000)
  return input.switches.signup ? perDay : null
}

function originOf({ address, port }: Running['address']): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

/**
 * Waits for the signal to stop. Those that follow are ignored: a terminal sends one to every
 * process of the group, and npm forwards it too.
 */
function stopSignal(env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal))
    if (env.npm_lifecycle_event !== undefined && cluster.isPrimary) onParentGone(() => resolve('npm is gone'))
  })
}

/** npm (11) dies of SIGTERM without passing it on: what it ran would hold the port for ever. */
function onParentGone(stop: () => void): void {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), 500).unref()
}

/** The tree that `--data` names. @throws {UsageError} it names none */
export function treeOf(input: Input): Tree {
  const data = input.values.data!
  if (!isHttpAddress(data) && data !== defaultData && !existsSync(input.path(data)))
    throw new UsageError(`--data "${data}" is no folder; build makes one with --out`)
  return openTree(isHttpAddress(data) ? data : input.path(data), {
    token: input.values['data-token'],
    cacheFolder: input.path(input.values['data-cache']!),
    followEveryMs: 1_000 * wholeNumber('data-interval', input.values['data-interval']!, 1, 86_400),
    isInsecureAllowed: input.switches['insecure-origin'] ?? false,
  })
}

function readAdminPort(input: Input): number | null {
  const port = input.values['admin-port']
  return port === undefined ? null : wholeNumber('admin-port', port, 0, 65_535)
}

function readAccessLog(input: Input): string | null {
  const file = input.values['access-log']
  return file === undefined ? null : file === '-' ? file : input.path(file)
}

/** @throws {Failure} the file cannot be written */
function openAccessLog({ accessLog, log }: Settings): AccessLog | undefined {
  if (accessLog === null) return undefined
  const tellFault = (error: Error) => log.error({ err: error }, 'cannot write the access log')
  try {
    return new AccessLog(accessLog, systemClock, tellFault)
  } catch (error) {
    throw new Failure(`cannot open the access log: ${(error as Error).message}`, { cause: error })
  }
}

function createLog(input: Input): pino.Logger {
  const level = input.values['log-level']!
  if (!['fatal', 'error', 'warn', 'info', 'debug', 'silent'].includes(level)) {
    throw new UsageError(`--log-level must be fatal, error, warn, info, debug or silent, got "${level}"`)
  }
  const log = pino({ level, base: { pid: process.pid } }, pino.destination({ dest: 2, sync: true }))
  // Node would print the warnings of libraries as plain text between the lines of the log.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, warning.message))
  return log
}

function listenFault(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: { host: string; port: number },
  option = 'port',
): string {
  if (code === 'EADDRINUSE')
    return `cannot listen on ${host}:${port}: the port is taken; choose another with --${option}`
  if (code === 'EACCES')
    return `cannot listen on ${host}:${port}: not allowed; choose a port above 1023 with --${option}`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `cannot listen on ${host}:${port}: this machine has no such address; choose another with --host`
  return `cannot listen on ${host}:${port}: ${message}`
}
