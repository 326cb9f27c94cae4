import { partitionPoint } from '#kit/lower-bound.ts'

/**
 * The work of all jobs in one turn of the event loop, after which they yield to other requests. A
 * unit is the time for one position, 1 to 2 ns, so this is half a millisecond.
 */
const workPerTurn = 300_000

/** The work done in this turn. */
let work = 0
let arrivals = 0

interface Waiter {
  arrival: number
  resume: () => void
}

/** The jobs that wait for a turn, in order of arrival. */
const waiters: Waiter[] = []

/**
 * The work of one request. If many wait for a turn, the one that arrived first continues until it
 * is finished. If turns were shared equally, all would be answered as late as the last one.
 */
export class Job {
  readonly #arrival = arrivals++

  /** Runs a task that yields how many steps it has done. Waits for another turn when one is due. */
  async run<Result>(task: Generator<number, Result>, unitsPerStep = 1): Promise<Result> {
    let step = task.next()
    for (; !step.done; step = task.next()) {
      const wait = this.spend(step.value * unitsPerStep)
      if (wait) await wait
    }
    return step.value
  }

  /** Counts work. Returns a promise to wait for if the turn is used up. */
  spend(units: number): Promise<void> | null {
    work += units
    if (work < workPerTurn) return null
    const { promise, resolve } = Promise.withResolvers<void>()
    if (waiters.length === 0) setImmediate(beginTurn)
    const place = partitionPoint(0, waiters.length, (i) => waiters[i]!.arrival <= this.#arrival)
    waiters.splice(place, 0, { arrival: this.#arrival, resume: resolve })
    return promise
  }
}

/** Lets the first waiting job continue. Each of the others waits for another turn. */
function beginTurn(): void {
  work = 0
  waiters.shift()!.resume()
  if (waiters.length > 0) setImmediate(beginTurn)
}

/** Runs a task to its end, in this turn. */
export function atOnce<Result>(task: Generator<number, Result>): Result {
  for (;;) {
    const step = task.next()
    if (step.done) return step.value
  }
}
