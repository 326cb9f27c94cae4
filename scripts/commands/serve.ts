import cluster from 'node:cluster'
import type { AddressInfo } from 'node:net'
import { createAdminServer } from '#proxy/admin/server.ts'
import type { PrimaryMessage, RunningService, WorkerMessage } from '#proxy/workers.ts'
import { Failure, type Input } from '../command-line.ts'
import { watchHangups } from '../serve/hangup.ts'
import { listen, originOf } from '../serve/listen.ts'
import { openServedStore, reloadPlans, startInThisProcess, startInWorkers } from '../serve/service.ts'
import { readSettings, unknownSettings, type Settings } from '../serve/settings.ts'
import { systemdNotifier } from '../serve/systemd-notify.ts'

/** The time that a process has to exit after the signal: the drain, and some time for the rest. */
const stopTimeoutMs = 10_500
/** The same for a primary, which must not exit before it has killed the workers that do not end. */
const primaryStopTimeoutMs = 11_500

/** Serves until a signal stops the process: in workers, or in this process alone. */
function serve(input: Input): Promise<number> {
  return cluster.isPrimary ? run(input) : runAsWorker(input)
}

/** Serves in a worker. If it cannot, its primary reports why, once for all workers. */
async function runAsWorker(input: Input): Promise<number> {
  try {
    // Exits now, even if lines of the access log wait for a reader that has stalled.
    process.exit(await run(input))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await new Promise((onSent) => process.send!({ fault: error.message } satisfies WorkerMessage, onSent))
    return 1
  } finally {
    // The channel to the primary would keep this process alive. Closing it would end the process at
    // once, with exit code 0.
    process.channel!.unref()
  }
}

/** Returns the exit code. */
async function run(input: Input): Promise<number> {
  const settings = readSettings(input)
  const { log } = settings
  // Node would print the warnings of libraries as plain text between the lines of the log. Other
  // fields of a warning are not logged: they may show the arguments of a process, with passwords.
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message, stack }) => log.warn({ warning: { name, stack } }, message))
  if (cluster.isPrimary) for (const line of unknownSettings(input)) log.warn(line)
  // Registered first, because without a listener the signal would end the process.
  const hangups = watchHangups()
  const stopping = Promise.race([stopSignal(input.env), hangups.terminalClosed])
  const start = settings.workers > 1 && cluster.isPrimary ? startInWorkers : startInThisProcess
  const service = await Promise.race([start(input, settings), stopping])
  if (typeof service === 'string') return stopEarly(service, log)
  const admin = cluster.isPrimary ? await startAdmin(input, settings, service) : null
  hangups.reload = () => {
    log.info('SIGHUP: reloading the release and the plans')
    void service.reload()
    if (admin?.api) void reloadPlans(input, admin.api.context, log)
  }
  if (cluster.isWorker) {
    process.on('message', (message: PrimaryMessage) => void answerPrimary(message, service))
    process.send!({ listening: service.address } satisfies WorkerMessage)
  }
  const isAlive = async () => (await service.status()).processes.some((process) => process !== null)
  const notifier = systemdNotifier(cluster.isPrimary ? input.env : {}, isAlive)
  notifier.ready()
  if (cluster.isPrimary) input.say(`listening on ${originOf(service.address)}`)
  const reason = await Promise.race([stopping, service.failure.then((failure) => ({ failure }))])
  const hasFailed = typeof reason !== 'string'
  if (hasFailed) log.fatal(`${reason.failure}: exiting`)
  notifier.stopping()
  // A service on the same ports now answers for itself; otherwise this one still reports that it is
  // draining. It is closed before the line that says so, because a reader of that line may connect
  // at once.
  if (settings.isPortShared) admin?.server.close()
  if (!hasFailed) log.info(`${reason}: draining`)
  // The process ends then, whatever still keeps it running.
  const timeoutMs = cluster.isPrimary ? primaryStopTimeoutMs : stopTimeoutMs
  setTimeout(() => {
    log.error('the process did not stop in time: exiting')
    process.exit(1)
  }, timeoutMs).unref()
  await service.stop()
  admin?.server.close()
  admin?.server.closeAllConnections()
  return hasFailed ? 1 : 0
}

/** Ends a service that is stopped before it has started: it has not answered any request. */
function stopEarly(reason: string, log: Settings['log']): never {
  log.info(`${reason}: stopped before the service had started`)
  for (const worker of Object.values(cluster.workers ?? {})) worker!.process.kill('SIGKILL')
  process.exit(0)
}

/** Handles a message of the primary in a worker. */
async function answerPrimary(message: PrimaryMessage, service: RunningService): Promise<void> {
  if (message === 'reload') return await service.reload()
  const { processes, metrics } = await service.status()
  const status = { readiness: processes[0]!, metrics: metrics[0]! }
  if (process.connected) process.send!({ status } satisfies WorkerMessage)
}

/**
 * Starts the listener of `--admin-port`, and opens the store for its API: it opens the store
 * itself, because its process may serve no requests. Null without that option.
 *
 * @throws {Failure} it cannot listen; the service is stopped
 */
async function startAdmin(input: Input, settings: Settings, service: RunningService) {
  const { adminPort: port, adminHost: host, adminToken: token, isPortShared, plans, log } = settings
  if (port === null) return null
  const store = token === null ? null : await openServedStore(input, settings)
  const api = store && { token: token!, log, context: { store, plans, actor: 'admin API' } }
  const server = createAdminServer(() => service.status(), api ?? undefined)
  server.on('close', () => void store?.close())
  await listen(server, { host, port, isPortShared }, 'admin-port').catch(async (error: unknown) => {
    await service.stop()
    throw error
  })
  input.say(`admin listener on ${originOf(server.address() as AddressInfo)}`)
  return { server, api }
}

/** Waits for the signal to stop, and ignores later ones: a terminal and npm both send it. */
function stopSignal(env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal))
    if (env.npm_lifecycle_event === undefined || !cluster.isPrimary) return
    // npm 11 exits on SIGTERM without forwarding it; its child would hold the port for good.
    const npm = process.ppid
    setInterval(() => process.ppid !== npm && resolve('npm has exited'), 500).unref()
  })
}

export const commands = { serve }
