import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { BuildWorker } from './build-worker.ts'

/**
 * A thread of a build, started by `WorkerPool`: a worker that receives its tasks as messages, and
 * answers each with its result. An error ends the thread, and so the build.
 */

const worker = new BuildWorker(...(workerData as ConstructorParameters<typeof BuildWorker>))

let tasks = Promise.resolve()

parentPort!.on('message', ({ task, input }: { task: keyof BuildWorker; input: unknown }) => {
  const work = worker[task].bind(worker) as (input: unknown) => unknown
  // The event loop runs in between, for work that no task waits for, such as emptying files.
  tasks = tasks.then(() => parentPort!.postMessage(work(input))).then(() => setImmediate())
})
