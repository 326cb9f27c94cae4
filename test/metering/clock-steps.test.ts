import { expect, test } from 'vitest'
import { watchClock } from '#metering/clock-steps.ts'

const noon = Date.parse('2026-01-31T12:00:00.000Z')

/** A clock and the log of its watcher: `pass` lets time go by, `step` sets the clock. */
function watched() {
  const lines: string[] = []
  let [nowMs, monotonicMs] = [noon, 1000]
  const watch = watchClock({ warn: (line) => void lines.push(line) }, () => monotonicMs)
  const pass = (ms: number) => {
    nowMs += ms
    monotonicMs += ms
    watch(nowMs)
  }
  const step = (ms: number) => {
    nowMs += ms
    watch(nowMs)
  }
  watch(nowMs)
  return { lines, pass, step }
}

test('a steady clock logs nothing, however long nobody reads it', () => {
  const { lines, pass } = watched()
  for (const ms of [1, 60_000, 0, 45 * 86_400_000]) pass(ms)
  expect(lines).toEqual([])
})

test('logs a step of the clock once, with its size and the new time', () => {
  const { lines, pass, step } = watched()
  step(45 * 86_400_000)
  pass(60_000)
  step(-45 * 86_400_000)
  pass(1000)
  expect(lines).toEqual([
    'the clock stepped forward by 3888000 s and now shows 2026-03-17T12:00:00.000Z',
    'the clock stepped back by 3888000 s and now shows 2026-01-31T12:01:00.000Z',
  ])
})

test('does not log small adjustments of the clock', () => {
  const { lines, step } = watched()
  for (let i = 0; i < 100; i++) step(i % 2 === 0 ? 4999 : -4999)
  expect(lines).toEqual([])
  step(5000)
  expect(lines).toHaveLength(1)
})

test('logs steps of clocks that contradict each other ten times an hour', () => {
  const { lines, pass, step } = watched()
  for (let i = 0; i < 100; i++) {
    step(i % 2 === 0 ? 10_000 : -10_000)
    pass(1000)
  }
  expect(lines).toHaveLength(10)
  pass(3_600_000)
  step(10_000)
  expect(lines).toHaveLength(11)
})
