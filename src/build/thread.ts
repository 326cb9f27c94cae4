import { parentPort, workerData } from 'node:worker_threads'
import { Hand, type Briefing } from './hand.ts'

/** A thread of a build, run by `Crew`: a hand that is told its tasks by messages. */

/** What is sent to a thread: the name of a task and its arguments. */
export interface Order {
  task: keyof Hand
  args: unknown[]
}

/** What it sends back: the result, or the fault with what messages are made of. */
export type Report = { result: unknown } | { fault: Fault }
export interface Fault {
  name: string
  message: string
  stack: string | undefined
  code: string | undefined
  syscall: string | undefined
}

const { briefing, number } = workerData as { briefing: Briefing; number: number }
const hand = new Hand(briefing, number)

parentPort!.on('message', ({ task, args }: Order) => {
  parentPort!.postMessage(reportOf(() => (hand[task] as (...args: unknown[]) => unknown)(...args)))
})

function reportOf(work: () => unknown): Report {
  try {
    return { result: work() }
  } catch (error) {
    const { name, message, stack, code, syscall } = error as NodeJS.ErrnoException
    return { fault: { name, message, stack, code, syscall } }
  }
}
