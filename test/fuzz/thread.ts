import { Worker } from 'node:worker_threads'

type Reply = { value?: unknown; error?: Error }

/** The time after which a subject counts as hanging. On an idle machine, it takes milliseconds. */
const patienceMs = 60_000

/**
 * Runs a module of subjects in its own thread, so that a subject that never ends only fails its
 * test. The next call then starts a new thread.
 */
export class SubjectThread<Subjects> {
  readonly #module: URL
  #worker: Worker | null = null

  /** @param module calls `serveSubjects` */
  constructor(module: URL) {
    this.#module = module
  }

  /**
   * Returns the result of a subject.
   *
   * @throws {Error} the subject threw this error, or it hangs
   */
  async call<Name extends keyof Subjects & string>(
    name: Name,
    ...args: Subjects[Name] extends (...args: infer Args) => unknown ? Args : never
  ): Promise<Subjects[Name] extends (...args: never[]) => infer Result ? Awaited<Result> : never> {
    const worker = (this.#worker ??= new Worker(this.#module))
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const patience = setTimeout(() => reject(new Error(`${name} hangs`)), patienceMs)
    worker.once('message', ({ value, error }: Reply) => (error ? reject(error) : resolve(value)))
    worker.once('error', reject)
    worker.postMessage({ name, args })
    try {
      return (await promise) as never
    } catch (error) {
      if (worker.listenerCount('message') > 0) await this.end()
      throw error
    } finally {
      clearTimeout(patience)
      worker.removeAllListeners('error')
    }
  }

  async end(): Promise<void> {
    await this.#worker?.terminate()
    this.#worker = null
  }
}
