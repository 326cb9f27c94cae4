import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { periodHolding } from '#metering/period.ts'

function period(anchor: string, instant: string): [start: string, end: string] {
  const { startMs, endMs } = periodHolding(Date.parse(anchor), Date.parse(instant))
  return [new Date(startMs).toISOString(), new Date(endMs).toISOString()]
}

describe('a period of an account created on the 31st is clamped to short months', () => {
  test.each([
    { at: '2026-01-31T23:00:00.000Z', start: '2026-01-31', end: '2026-02-28' },
    { at: '2026-02-28T07:59:59.999Z', start: '2026-01-31', end: '2026-02-28' },
    { at: '2026-02-28T08:00:00.000Z', start: '2026-02-28', end: '2026-03-31' },
    { at: '2026-03-31T07:59:59.999Z', start: '2026-02-28', end: '2026-03-31' },
    { at: '2026-03-31T08:00:00.000Z', start: '2026-03-31', end: '2026-04-30' },
    { at: '2028-02-10T00:00:00.000Z', start: '2028-01-31', end: '2028-02-29' },
    { at: '2028-03-01T00:00:00.000Z', start: '2028-02-29', end: '2028-03-31' },
  ])('at $at it runs from $start to $end', ({ at, start, end }) => {
    const time = 'T08:00:00.000Z'
    expect(period(`2026-01-31${time}`, at)).toEqual([start + time, end + time])
  })
})

/** Tries the months one by one, each with its own number of days. */
function slowPeriod(anchorMs: number, instantMs: number): { startMs: number; endMs: number } {
  const anchor = new Date(anchorMs)
  const boundary = (n: number) => {
    const [year, month] = [anchor.getUTCFullYear(), anchor.getUTCMonth() + n]
    const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    return Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay)) + (anchorMs % 86_400_000)
  }
  let n = 0
  while (boundary(n + 1) <= instantMs) n++
  return { startMs: boundary(n), endMs: boundary(n + 1) }
}

test('any instant is in the period found by counting month by month', () => {
  const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(instant, instant, (anchor, at) => {
      expect(periodHolding(+anchor, +at)).toEqual(slowPeriod(+anchor, +at))
    }),
    { seed: 31, numRuns: 500 },
  )
})
