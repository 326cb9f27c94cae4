import cluster, { type Worker } from 'node:cluster'
import { on, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { AggregatorRegistry, type MetricObject } from 'prom-client'
import type { ProcessStatus, ServiceStatus } from './admin/readiness.ts'
import { RestartPolicy } from './restart-policy.ts'

/** The messages of the primary: look for another release, and send your status. */
export type PrimaryMessage = 'reload' | 'status'

/** A message of a worker: that it listens, the reason why it cannot, or its status. */
export interface WorkerMessage {
  listening?: AddressInfo
  fault?: string
  status?: ProcessStatus
}

/** The time that workers may take to drain and end before they are killed. */
const stopTimeoutMs = 10_700

/** The time that a worker may take to send its status. */
const statusTimeoutMs = 3_000

/** The running service, in one process or in several. */
export interface RunningService {
  address: AddressInfo
  /** Looks for another release, in every process. */
  reload(): Promise<void>
  status(): Promise<ServiceStatus>
  /** Resolves with the reason if workers crash repeatedly, and otherwise never. */
  failure: Promise<string>
  /** Drains and ends every process. */
  stop(): Promise<void>
}

/**
 * Starts `count` workers, processes of this same program that share its port and, through the
 * store, its counters, and replaces each that ends. A count is in the store before a request is
 * answered, so none is lost with its process.
 *
 * @throws {Error} a worker cannot start; the message is the fault that it sent
 */
export async function startWorkers(
  count: number,
  log: { error(message: string): void },
): Promise<RunningService> {
  let stopping = false
  const policy = new RestartPolicy()
  const failure = Promise.withResolvers<string>()
  /** The metrics that each worker sent last. */
  const metricsOf = new Map<number, MetricObject[]>()
  /**
   * The counts of workers that have ended, because a total must not fall when a worker is replaced.
   * A worker's counts since its last status are lost.
   */
  let countedBefore: MetricObject[] = []
  const keepCounts = (worker: Worker) => {
    const counts = (metricsOf.get(worker.id) ?? []).filter(({ type }) => String(type) !== 'gauge')
    metricsOf.delete(worker.id)
    countedBefore = AggregatorRegistry.aggregate([countedBefore, counts]).getMetricsAsArray()
  }
  const fork = (): Promise<AddressInfo> => {
    const startedMs = performance.now()
    const worker = cluster.fork()
    const listening = Promise.withResolvers<AddressInfo>()
    let fault: string | undefined
    let hasListened = false
    worker.on('message', (message: WorkerMessage) => {
      hasListened ||= message.listening !== undefined
      if (message.listening) listening.resolve(message.listening)
      if (message.fault !== undefined) listening.reject(new Error((fault = message.fault)))
    })
    worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) => {
      listening.reject(new Error(`a worker ended with exit code ${code} before it started listening`))
      keepCounts(worker)
      if (stopping) return
      const cause = fault === undefined ? (signal ?? `exit code ${code}`) : `fault: ${fault}`
      const ranMs = performance.now() - startedMs
      const delayMs = policy.delayAfter({ signal, ranMs, hasListened })
      const endMessage = `worker ${worker.process.pid} ended (${cause})`
      if (delayMs === null) return failure.resolve(`workers crash again and again; the last ${endMessage}`)
      log.error(`${endMessage}: replacing it${delayMs > 0 ? ` in ${delayMs / 1_000} s` : ''}`)
      setTimeout(() => stopping || fork().catch(() => {}), delayMs)
    })
    return listening.promise
  }
  const reload = async () => {
    // A message, not a signal, which would end a worker that has no listener for it yet. Such a
    // worker opens the release that the pointer names anyway.
    for (const worker of aliveWorkers()) worker.send('reload' satisfies PrimaryMessage)
  }
  const askAll = async () => {
    const ask = async (worker: Worker) => {
      const answer = await askStatus(worker)
      if (answer && !worker.isDead()) metricsOf.set(worker.id, answer.metrics)
      return answer?.readiness ?? null
    }
    const processes = await Promise.all(aliveWorkers().map(ask))
    return { processes, metrics: [...metricsOf.values(), countedBefore], restarts: policy.restarts }
  }
  let pending: Promise<ServiceStatus> | undefined
  /** Concurrent calls share one round trip, so that a worker has at most one listener. */
  const status = () => (pending ??= askAll().finally(() => (pending = undefined)))
  const stop = async () => {
    stopping = true
    const alive = aliveWorkers()
    for (const worker of alive) worker.process.kill('SIGTERM')
    const deadline = setTimeout(() => {
      for (const worker of alive) worker.process.kill('SIGKILL')
    }, stopTimeoutMs)
    await Promise.all(alive.map((worker) => once(worker, 'exit')))
    clearTimeout(deadline)
  }
  try {
    const addresses = await Promise.all(Array.from({ length: count }, fork))
    return { address: addresses[0]!, reload, status, failure: failure.promise, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A worker that has ended is listed until its channel is closed. */
function aliveWorkers(): Worker[] {
  const workers = Object.values(cluster.workers ?? {}) as Worker[]
  return workers.filter((worker) => worker.isConnected() && !worker.isDead())
}

/** Returns the status of a worker; null if it does not answer in time. */
async function askStatus(worker: Worker): Promise<ProcessStatus | null> {
  const messages = on(worker, 'message', { signal: AbortSignal.timeout(statusTimeoutMs) })
  worker.send('status' satisfies PrimaryMessage)
  try {
    for await (const [{ status }] of messages as AsyncIterable<[WorkerMessage]>) if (status) return status
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error
  }
  return null
}
