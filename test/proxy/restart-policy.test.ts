import { expect, test } from 'vitest'
import { RestartPolicy, type WorkerEnd } from '#proxy/restart-policy.ts'

const crash: WorkerEnd = { exitCode: 1, signal: null, ranMs: 500, hasListened: true }

test('a worker that crashes again and again is replaced later each time, and at last not at all', () => {
  const policy = new RestartPolicy()
  const delays = Array.from({ length: 10 }, () => policy.delayAfter(crash))
  expect(delays).toEqual(
    [1, 2, 4, 8, 16, 30, 30, 30, 30].map((seconds) => seconds * 1_000).concat([null as never]),
  )
  expect(policy.restarts).toBe(9)
})

test.each<[string, Partial<WorkerEnd>]>([
  ['was killed', { exitCode: null, signal: 'SIGKILL' }],
  ['had run for a while', { ranMs: 60_000 }],
])('one that %s is replaced at once, and the next crash is the first again', (_, end) => {
  const policy = new RestartPolicy()
  for (let i = 0; i < 5; i++) policy.delayAfter(crash)
  expect(policy.delayAfter({ ...crash, ...end })).toBe(0)
  expect(policy.delayAfter(crash)).toBe(1_000)
})

test.each<[string, Partial<WorkerEnd>]>([
  ['a fault of the engine', { exitCode: null, signal: 'SIGSEGV' }],
  [
    'a kill before it listens, as for want of memory',
    { exitCode: null, signal: 'SIGKILL', hasListened: false },
  ],
])('%s is a crash', (_, end) => {
  expect(new RestartPolicy().delayAfter({ ...crash, ...end })).toBe(1_000)
})
