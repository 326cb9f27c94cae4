import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Job } from '#proxy/turns.ts'

const step = 100_000
const steps = 12

function* search(onStep: () => void): Generator<number, string> {
  for (let i = 0; i < steps; i++) {
    onStep()
    yield step
  }
  return 'a result'
}

test('searches share the time of a turn, however many wait', async () => {
  const stepsInTurns = [0]
  let isRunning = true
  const countTurns = async () => {
    for (; isRunning; await setImmediate()) stepsInTurns.push(0)
  }
  const counting = countTurns()
  const searches = Array.from({ length: 20 }, () =>
    new Job().run(search(() => stepsInTurns.push(stepsInTurns.pop()! + 1))),
  )
  expect(await Promise.all(searches)).toEqual(Array(20).fill('a result'))
  isRunning = false
  await counting
  // The first turn starts all searches, each with one step.
  const [, first, ...others] = stepsInTurns
  expect(first).toBeGreaterThanOrEqual(20)
  expect(Math.max(...others)).toBeLessThanOrEqual(4)
})

test('finishes the search first that arrived first', async () => {
  const names = ['first', 'second', 'third', 'fourth']
  const jobs = names.map((name) => ({ name, job: new Job() }))
  const order: string[] = []
  // They request their first turn in another order, and each waits for something else in between.
  const running = jobs.toReversed().map(async ({ name, job }) => {
    await job.run(search(() => {}))
    await Promise.resolve()
    await job.spend(step)
    await job.run(search(() => {}))
    order.push(name)
  })
  await Promise.all(running)
  expect(order).toEqual(names)
})
