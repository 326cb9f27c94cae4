import { setImmediate } from 'node:timers/promises'

/**
 * Long tasks yield to other requests: together they do about so much work in one turn of the
 * event loop. A unit is what handling one position takes, 1 to 2 ns: this is half a millisecond.
 */
const workPerTurn = 300_000

let work = 0
/** Ends when the search that began to wait last may go on. */
let last: Promise<void> = Promise.resolve()

/**
 * Runs a task that yields how many steps it has done, of so many units each, and waits for another
 * turn when due.
 */
export async function inTurns<Result>(task: Generator<number, Result>, unitsPerStep = 1): Promise<Result> {
  let step = task.next()
  for (; !step.done; step = task.next()) {
    const wait = spend(step.value * unitsPerStep)
    if (wait) await wait
  }
  return step.value
}

/** Runs such a task to its end, in this turn. */
export function atOnce<Result>(task: Generator<number, Result>): Result {
  for (;;) {
    const step = task.next()
    if (step.done) return step.value
  }
}

/** Counts work; returns what to wait for if the turn has had enough. */
export function spend(units: number): Promise<void> | null {
  work += units
  return work < workPerTurn ? null : (last = turnAfter(last))
}

/** Searches that wait go on one after another, each in a new turn if those before it filled one. */
async function turnAfter(before: Promise<void>): Promise<void> {
  await before
  if (work < workPerTurn) return
  await setImmediate()
  work = 0
}
