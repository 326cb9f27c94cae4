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
 * Processes of this program that share its port and, through the store, its counters. Each that
 * ends is replaced. Counts are stored before their requests are answered, so none is lost.
 */
export class Workers implements RunningService {
  readonly #log: { error(message: string): void }
  readonly #policy = new RestartPolicy()
  readonly #failure = Promise.withResolvers<string>()
  readonly failure = this.#failure.promise
  /** Set by `start`. */
  address!: AddressInfo
  /** The metrics that each worker sent last. */
  readonly #metricsById = new Map<number, MetricObject[]>()
  /**
   * The counts of workers that have ended, because a total must not fall when a worker is replaced.
   * A worker's counts since its last status are lost.
   */
  #countsOfEnded: MetricObject[] = []
  #pendingStatus: Promise<ServiceStatus> | undefined
  #isStopping = false

  private constructor(log: { error(message: string): void }) {
    this.#log = log
  }

  /**
   * Starts `count` workers. @throws {Error} one cannot start; the message is the fault that it sent
   */
  static async start(count: number, log: { error(message: string): void }): Promise<Workers> {
    const workers = new Workers(log)
    try {
      const addresses = await Promise.all(Array.from({ length: count }, () => workers.#fork()))
      workers.address = addresses[0]!
      return workers
    } catch (error) {
      await workers.stop()
      throw error
    }
  }

  async reload(): Promise<void> {
    // A message, not a signal, which would end a worker that has no listener for it yet. Such a
    // worker opens the release that the pointer names anyway.
    for (const worker of aliveWorkers()) tell(worker, 'reload')
  }

  /** Concurrent calls share one round trip, so that a worker has at most one listener. */
  status(): Promise<ServiceStatus> {
    return (this.#pendingStatus ??= this.#askAll().finally(() => (this.#pendingStatus = undefined)))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    const alive = aliveWorkers()
    for (const worker of alive) worker.process.kill('SIGTERM')
    const deadline = setTimeout(() => {
      for (const worker of alive) worker.process.kill('SIGKILL')
    }, stopTimeoutMs)
    await Promise.all(alive.map((worker) => once(worker, 'exit')))
    clearTimeout(deadline)
  }

  /**
   * Starts a worker. Returns the address at which it listens. @throws {Error} it ended before it
   * listened, or the system cannot start another process
   */
  async #fork(): Promise<AddressInfo> {
    const startedMs = performance.now()
    const worker = cluster.fork()
    const listening = Promise.withResolvers<AddressInfo>()
    // A process that cannot be started has no `exit`.
    worker.on('error', listening.reject)
    let fault: string | undefined
    let hasListened = false
    worker.on('message', (message: WorkerMessage) => {
      hasListened ||= message.listening !== undefined
      if (message.listening) listening.resolve(message.listening)
      if (message.fault !== undefined) listening.reject(new Error((fault = message.fault)))
    })
    worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) => {
      listening.reject(new Error(`a worker ended with exit code ${code} before it started listening`))
      this.#keepCounts(worker)
      if (this.#isStopping) return
      const cause = fault === undefined ? (signal ?? `exit code ${code}`) : `fault: ${fault}`
      const ranMs = performance.now() - startedMs
      const delayMs = this.#policy.delayAfter({ signal, ranMs, hasListened })
      this.#replace(delayMs, `worker ${worker.process.pid} ended (${cause})`)
    })
    return await listening.promise
  }

  /** @param delayMs null if workers have crashed too often */
  #replace(delayMs: number | null, endMessage: string): void {
    if (delayMs === null) return this.#failure.resolve(`workers keep crashing: ${endMessage}`)
    this.#log.error(`${endMessage}: replacing it${delayMs > 0 ? ` in ${delayMs / 1_000} s` : ''}`)
    setTimeout(() => this.#isStopping || this.#fork().catch(this.#onForkFailed), delayMs)
  }

  /** Tries again if the system could not start a process. One that ended has been replaced. */
  readonly #onForkFailed = ({ message, syscall }: NodeJS.ErrnoException) => {
    if (!syscall?.startsWith('spawn')) return
    const delayMs = this.#policy.delayAfter({ signal: null, ranMs: 0, hasListened: false })
    this.#replace(delayMs, `worker could not be started (${message})`)
  }

  #keepCounts(worker: Worker): void {
    const counts = (this.#metricsById.get(worker.id) ?? []).filter(({ type }) => String(type) !== 'gauge')
    this.#metricsById.delete(worker.id)
    this.#countsOfEnded = AggregatorRegistry.aggregate([this.#countsOfEnded, counts]).getMetricsAsArray()
  }

  async #askAll(): Promise<ServiceStatus> {
    const ask = async (worker: Worker) => {
      const answer = await askStatus(worker)
      if (answer && !worker.isDead()) this.#metricsById.set(worker.id, answer.metrics)
      return answer?.readiness ?? null
    }
    const processes = await Promise.all(aliveWorkers().map(ask))
    const metrics = [...this.#metricsById.values(), this.#countsOfEnded]
    return { processes, metrics, restarts: this.#policy.restarts }
  }
}

/** A worker that has ended is listed until its channel is closed. */
function aliveWorkers(): Worker[] {
  const workers = Object.values(cluster.workers ?? {}) as Worker[]
  return workers.filter((worker) => worker.isConnected() && !worker.isDead())
}

/** Sends a message, which does not arrive if the worker has just been killed. */
function tell(worker: Worker, message: PrimaryMessage): void {
  // Without a callback, this fault would end the primary.
  worker.send(message, () => {})
}

/** Returns the status of a worker; null if it does not answer in time. */
async function askStatus(worker: Worker): Promise<ProcessStatus | null> {
  const messages = on(worker, 'message', { signal: AbortSignal.timeout(statusTimeoutMs) })
  tell(worker, 'status')
  try {
    for await (const [{ status }] of messages as AsyncIterable<[WorkerMessage]>) if (status) return status
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error
  }
  return null
}
