import { Worker } from 'node:worker_threads'
import { Hand, mostHands, type Briefing } from './hand.ts'
import type { Tasks } from './tasks.ts'
import type { Fault, Order, Report } from './thread.ts'

/** How many orders a thread is given ahead, so that it never waits for the next. */
const ordersAhead = 2
/** Of the memory for what is young in a thread: with what is usual it takes a hundred megabytes more, and no less time. */
const youngMb = 12

type Args<T extends keyof Tasks> = Parameters<Tasks[T]>
type Result<T extends keyof Tasks> = ReturnType<Tasks[T]>

/**
 * The hands of a build: one of this thread for little work, one a thread for much. Starting threads takes a tenth of a second, so a night on which little came
 * does without.
 */
export class Crew {
  readonly #briefing: Briefing
  readonly #threadCount: number
  readonly #own: Hand
  #threads: Thread[] = []

  /** `threadCount` is how many threads much work is given to; with 0, none. */
  constructor(briefing: Briefing, threadCount: number) {
    this.#briefing = briefing
    this.#threadCount = Math.min(threadCount, mostHands - 1)
    this.#own = new Hand(briefing, 0)
  }

  /** Tells that much work comes: it is then given to threads. */
  expectMuch(): void {
    if (this.#threads.length > 0) return
    for (let number = 1; number <= this.#threadCount; number++) {
      try {
        this.#threads.push(new Thread(this.#briefing, number))
      } catch {
        // The machine gives no more: those that there are do it, or this one alone.
        return
      }
    }
  }

  /** Whether the work is given to threads, while this one waits. */
  get hasThreads(): boolean {
    return this.#threads.length > 0
  }

  /**
   * Has the same task done with many arguments; results come in the order of the arguments, and no more than a few arguments are taken ahead.
   *
   * @throws what a hand threw
   */
  async *each<T extends keyof Tasks>(task: T, all: Iterable<Args<T>>): AsyncGenerator<Result<T>> {
    if (this.#threads.length === 0) {
      for (const args of all) yield this.#doMyself(task, args)
      return
    }
    const orders: Promise<Result<T>>[] = []
    for (const args of all) {
      orders.push(this.#leastBusy().order<Result<T>>({ task, args }))
      // A fault is told where its turn comes; until then nobody listens.
      orders.at(-1)!.catch(() => {})
      if (orders.length >= this.#threads.length * ordersAhead) yield await orders.shift()!
    }
    for (const order of orders) yield await order
  }

  /** Has every hand do the task. */
  async all<T extends keyof Tasks>(task: T, args: Args<T>): Promise<void> {
    this.#doMyself(task, args)
    await Promise.all(this.#threads.map((thread) => thread.order({ task, args })))
  }

  async dismiss(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()))
    this.#threads = []
  }

  #doMyself<T extends keyof Tasks>(task: T, args: Args<T>): Result<T> {
    return (this.#own[task] as (...args: Args<T>) => Result<T>).apply(this.#own, args)
  }

  #leastBusy(): Thread {
    return this.#threads.reduce((least, thread) => (thread.open < least.open ? thread : least))
  }
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** A thread and the orders that it has not reported on, oldest first: it works them off in turn. */
class Thread {
  readonly #worker: Worker
  readonly #waiting: Waiting[] = []
  /** Why it is gone. */
  #fault: Error | null = null

  constructor(briefing: Briefing, number: number) {
    this.#worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { briefing, number },
      resourceLimits: { maxYoungGenerationSizeMb: youngMb },
    })
    this.#worker.on('message', (report: Report) => {
      const waiting = this.#waiting.shift()
      if ('fault' in report) waiting?.reject(errorOf(report.fault))
      else waiting?.resolve(report.result)
    })
    this.#worker.on('error', (error) => this.#fail(error as Error))
    this.#worker.on('exit', (code) => this.#fail(new Error(`a thread of the build ended with code ${code}`)))
  }

  get open(): number {
    return this.#waiting.length
  }

  order<R>(order: Order): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.#fault) return reject(this.#fault)
      this.#waiting.push({ resolve: resolve as (result: unknown) => void, reject })
      this.#worker.postMessage(order)
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #fail(error: Error): void {
    this.#fault ??= error
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}

function errorOf({ name, message, stack, code, syscall }: Fault): Error {
  const error = name === 'SyntaxError' ? new SyntaxError(message) : new Error(message)
  return Object.assign(error, { name, stack, code, syscall })
}
