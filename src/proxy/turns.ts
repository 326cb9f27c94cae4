import { partitionPoint } from '#kit/lower-bound.ts'

/**
 * Long work yields to other requests: together, jobs do about so much work in one turn of the event
 * loop. A unit is what handling one position takes, 1 to 2 ns: this is half a millisecond.
 */
const workPerTurn = 300_000

/** The work done in this turn. */
let work = 0
let arrivals = 0

interface Waiter {
  arrival: number
  resume: () => void
}

/** What waits for a turn, in order of arrival. */
const waiters: Waiter[] = []

/**
 * The work of one request. When many wait for a turn, the request that arrived first goes on, until
 * it is finished: were turns shared equally, all would be answered as late as the last one.
 */
export class Job {
  readonly #arrival = arrivals++

  /**
   * Runs a task that yields how many steps it has done, of so many units each, and waits for
   * another turn when due.
   */
  async run<Result>(task: Generator<number, Result>, unitsPerStep = 1): Promise<Result> {
    let step = task.next()
    for (; !step.done; step = task.next()) {
      const wait = this.spend(step.value * unitsPerStep)
      if (wait) await wait
    }
    return step.value
  }

  /** Counts work; returns what to wait for if the turn has had enough. */
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

/** Lets the first that waits go on. The others wait for a turn each. */
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
