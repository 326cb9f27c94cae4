import { expect, test } from 'vitest'
import { RestartPolicy, type WorkerEnd } from '#proxy/restart-policy.ts'

const crash: WorkerEnd = { signal: null, ranMs: 500, hasListened: true }
const kill: WorkerEnd = { ...crash, signal: 'SIGKILL' }

const delaysAfter = (ends: readonly WorkerEnd[]) => {
  const policy = new RestartPolicy()
  return { delays: ends.map((end) => policy.delayAfter(end)), policy }
}

test('replaces a worker that crashes repeatedly ever later, and at last not at all', () => {
  const { delays, policy } = delaysAfter(Array<WorkerEnd>(10).fill(crash))
  expect(delays).toEqual([0, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, null])
  expect(policy.restarts).toBe(9)
})

test('replaces a worker that is killed repeatedly ever later, but always', () => {
  const { delays, policy } = delaysAfter(Array<WorkerEnd>(20).fill(kill))
  expect(delays.slice(0, 8)).toEqual([0, 250, 500, 1_000, 2_000, 4_000, 5_000, 5_000])
  expect(delays.at(-1)).toBe(5_000)
  expect(policy.restarts).toBe(20)
})

test('a kill between crashes does not hide them', () => {
  const ends = Array.from({ length: 9 }, () => [crash, kill]).flat()
  expect(delaysAfter([...ends, crash]).delays.at(-1)).toBeNull()
})

test('replaces a worker at once if it ran for a while, and forgets earlier crashes', () => {
  const { delays } = delaysAfter([crash, crash, crash, { ...crash, ranMs: 60_000 }, crash])
  expect(delays.slice(3)).toEqual([0, 250])
})

test.each<[string, WorkerEnd]>([
  ['a fault of the engine', { ...crash, signal: 'SIGSEGV' }],
  ['a kill before it listens, as for want of memory', { ...kill, hasListened: false }],
])('%s is a crash', (_, end) => expect(delaysAfter(Array<WorkerEnd>(10).fill(end)).delays.at(-1)).toBeNull())
