import { expect, test } from 'vitest'
import { inTurns } from '#proxy/turns.ts'

const step = 100_000
const steps = 12

function* search(onStep: () => void): Generator<number, string> {
  for (let i = 0; i < steps; i++) {
    onStep()
    yield step
  }
  return 'found'
}

test('searches share the work of a turn, however many wait', async () => {
  const perTurn: number[] = [0]
  let isRunning = true
  const countTurns = () => {
    perTurn.push(0)
    if (isRunning) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  const searches = Array.from({ length: 20 }, () => inTurns(search(() => perTurn[perTurn.length - 1]!++)))
  expect(await Promise.all(searches)).toEqual(Array(20).fill('found'))
  isRunning = false
  // The first turn begins all searches, each with one step.
  expect(Math.max(...perTurn.slice(1))).toBeLessThanOrEqual(4)
  expect(perTurn.length).toBeGreaterThan((19 * steps) / 4)
})
