import cluster from 'node:cluster'
import { existsSync, readFileSync } from 'node:fs'
import type pino from 'pino'
import { systemClock } from '#kit/clock.ts'
import { explainSystemError } from '#kit/explain-system-error.ts'
import type { AdminContext } from '#metering/administer.ts'
import { signUp } from '#metering/sign-up.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { openStore } from '#metering/open-store.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { AccessLog } from '#proxy/admin/access-log.ts'
import type { MakeAccount } from '#proxy/site/forms.ts'
import { startProxy } from '#proxy/start.ts'
import { Workers, type RunningService } from '#proxy/workers.ts'
import { Failure, type Input } from '../command-line.ts'
import { fail, readPlans, storeAddress } from '../commands/with-store.ts'
import { listen, probePort } from './listen.ts'
import type { Settings } from './settings.ts'

/**
 * Starts the workers. It opens the store first, so that a fault of the store is reported once and
 * not by every worker.
 *
 * @throws {Failure} the store cannot be opened, or a worker cannot start
 */
export async function startInWorkers(input: Input, settings: Settings): Promise<RunningService> {
  const { workers, log } = settings
  await (await openServedStore(input, settings)).close()
  const port = await probePort(settings)
  cluster.setupPrimary({
    exec: process.argv[1]!,
    args: [...process.argv.slice(2), '--port', String(port)],
  })
  try {
    return await Workers.start(workers, log)
  } catch (error) {
    throw new Failure((error as Error).message)
  }
}

/**
 * Opens the store of the service, which waits while Redis is down. A worker never creates a store,
 * because Redis may have lost its data since the service started.
 */
export async function openServedStore(
  input: Input,
  { plans, durability, initStore, log }: Settings,
): Promise<MeterStore> {
  const mayCreate = initStore && cluster.isPrimary
  const options = { plans, clock: systemClock, durability, log, waits: true, mayCreate }
  return await openStore(storeAddress(input).url, options).catch(fail)
}

/**
 * Serves in this process. @throws {Failure} the store cannot be opened, or the server cannot listen
 */
export async function startInThisProcess(input: Input, settings: Settings): Promise<RunningService> {
  const { plans, log, signUpLimits } = settings
  const store = await openServedStore(input, settings)
  const context: AdminContext = { store, plans }
  const makeAccount: MakeAccount = (account, address) =>
    signUp(context, { account, address, ...signUpLimits! })
  try {
    const proxy = await startProxy({
      ...settings,
      store,
      isMeasured: settings.adminPort !== null,
      accessLog: openAccessLog(settings),
      makeAccount: signUpLimits === null ? undefined : makeAccount,
      limits: { maxOpen: maxConnections() },
    })
    return {
      address: await listen(proxy.server, settings).catch(async (error: unknown) => {
        await proxy.stop()
        throw error
      }),
      reload: async () => {
        await reloadPlans(input, context, log)
        await proxy.reload()
      },
      status: async () => {
        const { readiness, metrics } = await proxy.status()
        return { processes: [readiness], metrics: [metrics], restarts: 0 }
      },
      failure: new Promise(() => {}),
      stop: proxy.stop,
    }
  } catch (error) {
    await store.close()
    throw error instanceof StoreUnavailable ? new Failure(error.message, { cause: error }) : error
  }
}

/** The descriptors for files, the store, logs, and connections to an origin or the site. */
const ownDescriptors = 400

/**
 * Returns the number of connections that a process may have open, so that some descriptors are
 * always left: without any, it could neither read a file nor accept a connection to refuse it.
 * Unlimited if the system does not state its limit (Linux: proc(5), limits).
 */
function maxConnections(): number {
  const path = '/proc/self/limits'
  const limits = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const soft = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity)
  return soft - Math.min(ownDescriptors, Math.floor(soft / 2))
}

/** Reads the plans file again. Invalid plans, or plans that lack one in use, change nothing. */
export async function reloadPlans(input: Input, context: AdminContext, log: pino.Logger): Promise<void> {
  if (!input.values.plans) return
  try {
    const plans = readPlans(input)
    await context.store.directory.usePlans(plans)
    context.plans = plans
    log.info(`the plans are now ${plans.map(({ name }) => name).join(', ')}`)
  } catch (error) {
    log.error({ err: error }, `the plans were not changed: ${explainSystemError(error as Error)}`)
  }
}

/** @throws {Failure} the file cannot be written */
function openAccessLog({ accessLog, log }: Settings): AccessLog | undefined {
  if (accessLog === null) return undefined
  try {
    return new AccessLog(accessLog, log)
  } catch (error) {
    throw new Failure(`cannot open the access log: ${explainSystemError(error as Error)}`, { cause: error })
  }
}
