import { expect, test } from 'vitest'
import { bandOf, bands, levelRank, levels } from '#contract/levels.ts'
import { toDate } from '#contract/dates.ts'

test('levels are ranked from A1 to C2', () => {
  expect(levels.map(levelRank)).toEqual([0, 1, 2, 3, 4, 5])
})

test('a band is one level above, for C2 it is C2', () => {
  expect(levels.map(bandOf)).toEqual(['A2', 'B1', 'B2', 'C1', 'C2', 'C2'])
  expect(bands).toEqual(['A2', 'B1', 'B2', 'C1', 'C2'])
})

test('a date is written with milliseconds, in UTC', () => {
  expect(toDate(0)).toBe('1970-01-01T00:00:00.000Z')
  expect(toDate(Date.parse('2026-03-01T06:00:00.5+02:00'))).toBe('2026-03-01T04:00:00.500Z')
})
