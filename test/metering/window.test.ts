import { describe, expect, test } from 'vitest'
import { minuteOf, resetAtS, windowInForce } from '#metering/window.ts'

describe('windows are aligned to the Unix minute', () => {
  test.each([
    { instant: '1970-01-01T00:00:00.000Z', minute: 0, reset: '1970-01-01T00:01:00.000Z' },
    { instant: '1970-01-01T00:00:59.999Z', minute: 0, reset: '1970-01-01T00:01:00.000Z' },
    { instant: '1970-01-01T00:01:00.000Z', minute: 1, reset: '1970-01-01T00:02:00.000Z' },
    { instant: '2026-02-28T23:59:59.999Z', minute: 29538719, reset: '2026-03-01T00:00:00.000Z' },
    { instant: '1969-12-31T23:59:59.999Z', minute: -1, reset: '1970-01-01T00:00:00.000Z' },
  ])('$instant lies in the window that ends at $reset', ({ instant, minute, reset }) => {
    expect(minuteOf(Date.parse(instant))).toBe(minute)
    expect(resetAtS(minute) * 1000).toBe(Date.parse(reset))
  })
})

describe('the window in force', () => {
  test('is empty where none is stored', () => {
    expect(windowInForce(undefined, 7)).toEqual({ minute: 7, count: 0 })
  })

  test('is the stored one in its minute', () => {
    expect(windowInForce({ minute: 7, count: 3 }, 7)).toEqual({ minute: 7, count: 3 })
  })

  test('is empty once the clock has passed the stored one', () => {
    expect(windowInForce({ minute: 7, count: 3 }, 8)).toEqual({ minute: 8, count: 0 })
  })

  test('is the stored one where the clock has stepped back', () => {
    expect(windowInForce({ minute: 7, count: 3 }, 6)).toEqual({ minute: 7, count: 3 })
    expect(windowInForce({ minute: 67, count: 3 }, 8)).toEqual({ minute: 67, count: 3 })
  })

  test('is empty where the clock has stepped back an hour or more', () => {
    expect(windowInForce({ minute: 67, count: 3 }, 7)).toEqual({ minute: 7, count: 0 })
  })
})
