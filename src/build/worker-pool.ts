import { Worker, type MessagePort } from 'node:worker_threads'
import { analyserInfo } from '#language/analysers/open-analyser.ts'
import { SudachiThread } from '#language/analysers/sudachi-client.ts'
import { BuildStopped } from './build-stopped.ts'
import { BuildWorker, maxWorkers, type WorkerContext } from './build-worker.ts'
import type { Tasks } from './tasks.ts'
import type { Call, Fault, Reply } from './worker-thread.ts'

/** How many calls a thread is sent ahead, so that it never waits for the next. */
const callsAhead = 2

type Input<T extends keyof Tasks> = Parameters<Tasks[T]>[0]
type Result<T extends keyof Tasks> = ReturnType<Tasks[T]>

/**
 * The workers of a build: one in this thread for little work, one per thread for much. Starting
 * threads takes a tenth of a second, so a build with little to do does without.
 */
export class WorkerPool {
  readonly #context: WorkerContext
  readonly #threadCount: number
  readonly #own: BuildWorker
  #threads: Thread[] = []
  /** Owns the Japanese dictionary for all threads; absent if there is no Japanese word to find. */
  #sudachi: SudachiThread | undefined

  /** `threadCount` is how many threads share a large amount of work; 0 for none. */
  constructor(context: WorkerContext, threadCount: number) {
    this.#context = context
    this.#threadCount = Math.min(threadCount, maxWorkers - 1)
    this.#own = new BuildWorker(context, 0)
  }

  /** Starts the threads: a large amount of work follows. */
  startThreads(): void {
    if (this.#threads.length > 0) return
    if (
      this.#context.hasAnalysers &&
      this.#context.catalogue.get('ja')?.length &&
      analyserInfo('ja').version !== null
    )
      this.#sudachi = new SudachiThread()
    for (let number = 1; number <= this.#threadCount; number++) {
      try {
        this.#threads.push(new Thread(this.#context, number, this.#sudachi?.connect()))
      } catch {
        // The system allows no more: the threads that run do the work, or this one alone.
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
  async *each<T extends keyof Tasks>(
    task: T,
    inputs: Iterable<Input<T>>,
  ): AsyncGenerator<[Input<T>, Result<T>]> {
    const work = this.#own[task].bind(this.#own) as (input: Input<T>) => Result<T>
    const calls: [Input<T>, Promise<Result<T>>][] = []
    for (const input of inputs) {
      if (this.#threads.length === 0) {
        yield [input, work(input)]
        continue
      }
      const result = this.#leastBusy().call<Result<T>>({ task, input })
      calls.push([input, result])
      // An error is thrown when its turn comes; until then nobody listens.
      result.catch(() => {})
      if (calls.length >= this.#threads.length * callsAhead) yield await settled(calls.shift()!)
    }
    for (const call of calls) yield await settled(call)
  }

  /** Ends the spools of all workers, and frees what they cache. */
  async flush(): Promise<void> {
    this.#own.flush()
    await Promise.all(this.#threads.map((thread) => thread.call({ task: 'flush' })))
  }

  async end(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()))
    this.#threads = []
    await this.#sudachi?.end()
    this.#sudachi = undefined
  }

  #leastBusy(): Thread {
    return this.#threads.reduce((least, thread) => (thread.open < least.open ? thread : least))
  }
}

async function settled<I, R>([input, result]: [I, Promise<R>]): Promise<[I, R]> {
  return [input, await result]
}

/** A thread, and the calls that it has not answered, oldest first. It answers them in order. */
class Thread {
  readonly #worker: Worker
  readonly #waiting: PromiseWithResolvers<unknown>[] = []
  /** Why it ended. */
  #fault: Error | null = null

  constructor(context: WorkerContext, number: number, analyserPort: MessagePort | undefined) {
    this.#worker = new Worker(new URL('./worker-thread.ts', import.meta.url), {
      workerData: { context, number, analyserPort },
      transferList: analyserPort ? [analyserPort] : [],
    })
    this.#worker.on('message', (reply: Reply) => {
      const waiting = this.#waiting.shift()
      if ('fault' in reply) waiting?.reject(errorOf(reply.fault))
      else waiting?.resolve(reply.result)
    })
    this.#worker.on('error', (error) => this.#fail(error as Error))
    this.#worker.on('exit', (code) => this.#fail(new Error(`a thread of the build ended with code ${code}`)))
  }

  get open(): number {
    return this.#waiting.length
  }

  async call<R>(call: Call): Promise<R> {
    if (this.#fault) throw this.#fault
    const answer = Promise.withResolvers<unknown>()
    this.#waiting.push(answer)
    this.#worker.postMessage(call)
    return (await answer.promise) as R
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #fail(error: Error): void {
    this.#fault ??= error
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}

/** Errors lose their class on the way from a thread. */
const classes: Record<string, new (message: string) => Error> = {
  SyntaxError,
  RangeError,
  BuildStopped,
}

function errorOf({ name, message, stack, code, syscall }: Fault): Error {
  return Object.assign(new (classes[name] ?? Error)(message), { name, stack, code, syscall })
}
