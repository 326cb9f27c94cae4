import { Worker, type MessagePort } from 'node:worker_threads'
import { collectEarly } from '#kit/collect-garbage.ts'
import { analyserInfo } from '#language/analysers/open-analyser.ts'
import { SudachiThread } from '#language/analysers/sudachi-client.ts'
import { BuildWorker, maxWorkers, type WorkerContext } from './build-worker.ts'

/** The bytes of half a million clips: from here on, memory is saved rather than time. */
const largeBytes = 4_000_000_000

/** The number of calls to send ahead to a thread, so that it never waits for the next. */
const callsAhead = 2

type Input<T extends keyof BuildWorker> = Parameters<BuildWorker[T]>[0]
type Result<T extends keyof BuildWorker> = ReturnType<BuildWorker[T]>

/**
 * The workers of a build: one in this thread for little work, or one per thread for much. Starting
 * threads takes a tenth of a second, so a build with little to do does without.
 */
export class WorkerPool {
  readonly context: WorkerContext
  readonly localWorker: BuildWorker
  readonly #threads: Thread[] = []
  /** Owns the Japanese dictionary for all threads; absent if there is no Japanese word to find. */
  #sudachi: SudachiThread | undefined

  constructor(context: WorkerContext) {
    this.context = context
    this.localWorker = new BuildWorker(context, 0)
  }

  get hasThreads(): boolean {
    return this.#threads.length > 0
  }

  /** Starts threads, because a large amount of work follows. */
  startThreads(count: number, sizeBytes: number): void {
    // With 50%, 100,000 clips would take 200 MB less memory and 7% more time.
    collectEarly(sizeBytes < largeBytes ? 150 : 50)
    const { hasAnalysers, catalogue } = this.context
    if (hasAnalysers && catalogue.get('ja')?.length && analyserInfo('ja').version !== null)
      this.#sudachi = new SudachiThread((reason) => {
        for (const thread of this.#threads) void thread.end(reason)
      })
    for (let number = 1; number <= Math.min(count, maxWorkers - 1); number++) {
      try {
        this.#threads.push(new Thread(this.context, number, this.#sudachi?.connect()))
      } catch {
        // The system allows no more threads: those that run do the work, or this one alone.
        return
      }
    }
  }

  /**
   * Runs a task on many inputs. Yields each with its result, in the order of the inputs, of which
   * only a few are taken ahead.
   *
   * @throws what a worker threw
   */
  async *each<T extends keyof BuildWorker, Given extends Input<T>>(
    task: T,
    inputs: Iterable<Given>,
  ): AsyncGenerator<[Given, Result<T>]> {
    const calls: [Given, Promise<Result<T>>][] = []
    const oldest = async (): Promise<[Given, Result<T>]> => {
      const [input, result] = calls.shift()!
      return [input, await result]
    }
    for (const input of inputs) {
      const result = this.#call(task, input)
      calls.push([input, result])
      // An error is thrown in its turn; until then, nobody listens for it.
      result.catch(() => {})
      if (calls.length >= this.#threads.length * callsAhead) yield await oldest()
    }
    while (calls.length > 0) yield await oldest()
  }

  /** Gives a call to the thread with the fewest or, without threads, runs it here. */
  async #call<T extends keyof BuildWorker>(task: T, input: Input<T>): Promise<Result<T>> {
    const [first, ...others] = this.#threads
    if (!first)
      return (this.localWorker[task].bind(this.localWorker) as (input: Input<T>) => Result<T>)(input)
    const thread = others.reduce((least, other) => (other.open < least.open ? other : least), first)
    return (await thread.call(task, input)) as Result<T>
  }

  async end(): Promise<void> {
    const reason = new Error('the build has ended')
    await Promise.all(this.#threads.splice(0).map((thread) => thread.end(reason)))
    await this.#sudachi?.end()
  }
}

/** A thread, and its unanswered calls, oldest first. It answers them in order. */
class Thread {
  readonly #worker: Worker
  readonly #waiting: PromiseWithResolvers<unknown>[] = []
  /** The reason why it ended. */
  #fault: Error | null = null

  constructor(context: WorkerContext, number: number, analyserPort: MessagePort | undefined) {
    this.#worker = new Worker(new URL('./worker-thread.ts', import.meta.url), {
      workerData: [context, number, analyserPort],
      transferList: analyserPort ? [analyserPort] : [],
    })
    this.#worker.on('message', (result) => this.#waiting.shift()?.resolve(result))
    this.#worker.on('error', (error: Error) => void this.end(error))
    this.#worker.on(
      'exit',
      (code) => void this.end(new Error(`a thread of the build ended with code ${code}`)),
    )
  }

  get open(): number {
    return this.#waiting.length
  }

  async call(task: keyof BuildWorker, input: unknown): Promise<unknown> {
    if (this.#fault) throw this.#fault
    const answer = Promise.withResolvers<unknown>()
    this.#waiting.push(answer)
    this.#worker.postMessage({ task, input })
    return await answer.promise
  }

  /** Ends the thread, even while it waits; its calls fail with this reason. */
  async end(reason: Error): Promise<void> {
    this.#fault ??= reason
    for (const { reject } of this.#waiting.splice(0)) reject(reason)
    await this.#worker.terminate()
  }
}
