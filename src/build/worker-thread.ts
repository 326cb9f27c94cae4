import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { BuildWorker, type WorkerContext } from './build-worker.ts'
import type { Tasks } from './tasks.ts'

/** A thread of a build, started by `WorkerPool`: a worker that receives its tasks as messages. */

/** A message to a thread: the name of a task and its input. */
export interface Call {
  task: keyof Tasks
  input?: unknown
}

/** Its answer: the result, or the parts of an error. */
export type Reply = { result: unknown } | { fault: Fault }
export interface Fault {
  name: string
  message: string
  stack: string | undefined
  code: string | undefined
  syscall: string | undefined
}

const { context, number, analyserPort } = workerData as {
  context: WorkerContext
  number: number
  analyserPort?: MessagePort
}
const worker = new BuildWorker(context, number, analyserPort)

parentPort!.on('message', ({ task, input }: Call) => {
  parentPort!.postMessage(replyOf(() => (worker[task] as (input: unknown) => unknown)(input)))
})

function replyOf(work: () => unknown): Reply {
  try {
    return { result: work() }
  } catch (error) {
    const { name, message, stack, code, syscall } = error as NodeJS.ErrnoException
    return { fault: { name, message, stack, code, syscall } }
  }
}
