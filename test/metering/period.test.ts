import fc from 'fast-check'
import { expect, test } from 'vitest'
import { periodHolding } from '#metering/period.ts'
import { periodOf } from './simulation-model.ts'

function period(anchor: string, instant: string): [start: string, end: string] {
  const { startMs, endMs } = periodHolding(Date.parse(anchor), Date.parse(instant))
  return [new Date(startMs).toISOString(), new Date(endMs).toISOString()]
}

test.each([
  { at: '2026-01-31T23:00:00.000Z', start: '2026-01-31', end: '2026-02-28' },
  { at: '2026-02-28T07:59:59.999Z', start: '2026-01-31', end: '2026-02-28' },
  { at: '2026-02-28T08:00:00.000Z', start: '2026-02-28', end: '2026-03-31' },
  { at: '2026-03-31T07:59:59.999Z', start: '2026-02-28', end: '2026-03-31' },
  { at: '2026-03-31T08:00:00.000Z', start: '2026-03-31', end: '2026-04-30' },
  { at: '2028-02-10T00:00:00.000Z', start: '2028-01-31', end: '2028-02-29' },
  { at: '2028-03-01T00:00:00.000Z', start: '2028-02-29', end: '2028-03-31' },
])('at $at, the period of an account created on the 31st runs from $start to $end', ({ at, start, end }) => {
  const time = 'T08:00:00.000Z'
  expect(period(`2026-01-31${time}`, at)).toEqual([start + time, end + time])
})

test('any instant is in the period found by counting month by month', () => {
  const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(instant, instant, (anchor, at) => {
      const { start, end } = periodOf(+anchor, +at)
      expect(periodHolding(+anchor, +at)).toEqual({ startMs: start, endMs: end })
    }),
    { seed: 31, numRuns: 500 },
  )
})
