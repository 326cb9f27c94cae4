import cluster, { type Worker } from 'node:cluster'
import { on, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { AggregatorRegistry, type MetricObject } from 'prom-client'
import type { ProcessStatus, ServiceStatus } from './admin/readiness.ts'

/**
 * A worker that ends sooner than this is replaced after the same time, so that one that cannot run
 * is not restarted in a tight loop.
 */
const restartDelayMs = 1_000

/** What a worker sends once: where it listens, or why it cannot. */
export interface StartReport {
  listening?: AddressInfo
  fault?: string
}

/** The message of the primary that lets a worker look for another release. */
export const reloadMessage = 'reload'

/** A request for a worker's status; the answer has the same `ask`. */
export interface StatusQuestion {
  ask: number
}
export interface StatusAnswer extends StatusQuestion {
  status: ProcessStatus
}

/** How long workers may take to drain and end before they are killed. */
const stopTimeoutMs = 10_700

/** How long a worker may take to send its status. */
const statusTimeoutMs = 3_000

/** The service, listening, in one process or in several. */
export interface RunningService {
  address: AddressInfo
  /** Looks for another release, in every process. */
  reload(): Promise<void>
  status(): Promise<ServiceStatus>
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
  const metrics = new WorkerMetrics()
  const fork = (): Worker => {
    const startedMs = performance.now()
    const worker = cluster.fork()
    let fault: string | undefined
    worker.on('message', (report: StartReport) => (fault = report.fault ?? fault))
    worker.once('exit', (code, signal) => {
      metrics.end(worker.id)
      if (stopping) return
      const cause = fault === undefined ? (signal ?? `exit code ${code}`) : `a fault (${fault})`
      log.error(`worker ${worker.process.pid} ended by ${cause}: replacing it`)
      setTimeout(
        () => stopping || fork(),
        performance.now() - startedMs < restartDelayMs ? restartDelayMs : 0,
      )
    })
    return worker
  }
  const reload = async () => {
    // Not by a signal, which would end a worker that has no listener for it yet. Such a worker
    // opens the release that the pointer names anyway.
    for (const worker of Object.values(cluster.workers ?? {}))
      if (worker?.isConnected()) worker.send(reloadMessage)
  }
  let asked = 0
  const status = async () => {
    const alive = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected())
    const ask = async (worker: Worker) => {
      const answer = await askStatus(worker, asked++)
      if (answer && !worker.isDead()) metrics.report(worker.id, answer.metrics)
      return answer?.readiness ?? null
    }
    const processes = await Promise.all(alive.map((worker) => ask(worker!)))
    return { processes, metrics: metrics.all() }
  }
  const stop = async () => {
    stopping = true
    // A worker that has ended is listed until its channel is closed. Waiting for it would never
    // end.
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const alive = workers.filter((worker) => !worker.isDead())
    for (const worker of alive) worker.process.kill('SIGTERM')
    const deadline = setTimeout(() => {
      for (const worker of alive) worker.process.kill('SIGKILL')
    }, stopTimeoutMs)
    await Promise.all(alive.map((worker) => once(worker, 'exit')))
    clearTimeout(deadline)
  }
  try {
    const addresses = await Promise.all(Array.from({ length: count }, () => untilListening(fork())))
    return { address: addresses[0]!, reload, status, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The status of a worker; null if it does not answer in time. */
async function askStatus(worker: Worker, ask: number): Promise<ProcessStatus | null> {
  const answers = on(worker, 'message', { signal: AbortSignal.timeout(statusTimeoutMs) })
  worker.send({ ask } satisfies StatusQuestion)
  try {
    for await (const [answer] of answers as AsyncIterable<[Partial<StatusAnswer>]>)
      if (answer.ask === ask) return answer.status!
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error
  }
  return null
}

function untilListening(worker: Worker): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    worker.on('message', ({ listening, fault }: StartReport) => {
      if (listening) resolve(listening)
      if (fault !== undefined) reject(new Error(fault))
    })
    worker.once('exit', (code) =>
      reject(new Error(`a worker ended with exit code ${code} before it listened`)),
    )
  })
}

/**
 * The metrics of all workers, with what those that have ended had counted: a total must not fall
 * when a worker is replaced. What a worker counted after it was last asked is lost with it.
 */
class WorkerMetrics {
  readonly #last = new Map<number, MetricObject[]>()
  #ended: MetricObject[] = []

  report(worker: number, metrics: MetricObject[]): void {
    this.#last.set(worker, metrics)
  }

  end(worker: number): void {
    const counts = (this.#last.get(worker) ?? []).filter(({ type }) => String(type) !== 'gauge')
    this.#last.delete(worker)
    this.#ended = AggregatorRegistry.aggregate([this.#ended, counts]).getMetricsAsArray()
  }

  all(): MetricObject[][] {
    return [...this.#last.values(), this.#ended]
  }
}
