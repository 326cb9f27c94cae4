import cluster from 'node:cluster'
import { constants, fstatSync, openSync, type Stats } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { toDate } from '#contract/dates.ts'
import { systemClock } from '#kit/clock.ts'
import type { AnsweredRequest } from '../http/exchange.ts'

/** Lines are written in batches: a write costs as much as a request. A pipe holds two batches. */
const batchBytes = 32 * 1024
/** The number of bytes that may wait for a stalled reader or disk. Further lines are dropped. */
const maxWaitingBytes = 4 * 1024 * 1024
const flushEveryMs = 1_000
/** A fault, such as a full disk, is reported at most once in this time. */
const reportEveryMs = 60_000
/** The time that the last lines may take when the service stops. */
const closeMs = 1_000

type Destination = ReturnType<typeof pino.destination>

/**
 * The access log: a line of JSON for each request, written whole, so that processes can share it.
 *
 * Nothing waits for it: while its reader or disk has stalled, lines are dropped and counted.
 */
export class AccessLog {
  readonly #file: string
  readonly #log: { error(context: object, message: string): void }
  /** The kind of file, read when it is opened: at exit, its descriptor may be closed. */
  #fileKind!: Stats
  #destination: Destination
  #dropped = 0
  #faultReportedMs = -Infinity

  /**
   * @param file a path, or `-` for standard output
   * @param log receives the faults, after which lines are lost, but requests are still answered
   * @throws {Error} the file cannot be opened
   */
  constructor(file: string, log: { error(context: object, message: string): void }) {
    this.#file = file
    this.#log = log
    this.#destination = this.#open()
    // Runs before the listener of pino.
    process.prependListener('exit', this.#onExit)
  }

  /**
   * At exit, pino repeats the last write until it succeeds, so a stalled reader would keep the
   * process running for ever. Lines that wait for a reader are dropped.
   *
   * All workers share the flags of a socket. The first that exits makes it block again, as it was
   * at the start, so the others may then have a thread that waits in a write, for which an exit
   * would wait, too. The primary does not evaluate how a worker ended.
   */
  readonly #onExit = () => {
    if (!this.#fileKind.isFile()) this.#destination.destroy()
    if (this.#fileKind.isSocket() && cluster.isWorker) process.kill(process.pid, 'SIGKILL')
  }

  write(request: AnsweredRequest): void {
    const line = JSON.stringify({ time: toDate(systemClock.now()), ...request })
    this.#destination.write(`${line}\n`)
  }

  /** Opens the file again, after the old one was moved. If that fails, keeps the old one open. */
  reopen(): void {
    if (this.#file === '-') return
    const before = this.#destination
    try {
      this.#destination = this.#open()
      before.end()
    } catch (err) {
      this.#log.error({ err }, 'cannot open the access log again: its lines still go to the old file')
    }
  }

  /** Writes the waiting lines, if that does not take long. */
  async close(): Promise<void> {
    const closing = new Promise<boolean>((resolve) => this.#destination.once('close', () => resolve(true)))
    this.#destination.end()
    const isClosed = await Promise.race([closing, sleep(closeMs, false, { ref: false })])
    this.#destination.destroy()
    if (isClosed) process.removeListener('exit', this.#onExit)
    this.#reportDropped()
  }

  #open(): Destination {
    const fd = openFile(this.#file)
    this.#fileKind = fstatSync(fd)
    const destination = pino.destination({
      dest: fd,
      minLength: batchBytes - 1,
      maxWrite: batchBytes,
      maxLength: maxWaitingBytes,
      periodicFlush: flushEveryMs,
      sync: false,
    })
    destination.on('drop', () => {
      if (this.#dropped++ === 0) setTimeout(() => this.#reportDropped(), flushEveryMs).unref()
    })
    destination.on('error', (err: Error) => this.#reportFault(err))
    return destination
  }

  /** Logs a fault at most once a minute, because every write fails until the fault is repaired. */
  #reportFault(err: Error): void {
    const nowMs = performance.now()
    if (nowMs - this.#faultReportedMs < reportEveryMs) return
    this.#faultReportedMs = nowMs
    this.#log.error({ err }, 'cannot write the access log')
  }

  #reportDropped(): void {
    if (this.#dropped === 0) return
    const droppedCount = this.#dropped
    this.#dropped = 0
    this.#log.error(
      { dropped: droppedCount },
      'lines of the access log were dropped: its disk or its reader is too slow',
    )
  }
}

/**
 * Opens a file to append to, or standard output. A pipe is opened without blocking, because a
 * thread that waits for a reader would keep the process from ending.
 */
function openFile(file: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants
  if (file !== '-') return openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o640)
  return fstatSync(1).isFIFO() ? openSync('/proc/self/fd/1', O_WRONLY | O_NONBLOCK) : 1
}
