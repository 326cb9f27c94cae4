import { expect, test } from 'vitest'
import { parseDuration } from '#metering/duration.ts'

test.each([
  ['0', 0],
  ['0s', 0],
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['3650d', 315_360_000_000],
])('%s is %i milliseconds', (text, ms) => expect(parseDuration(text)).toBe(ms))

test.each(['', '5', '-1h', '1.5h', '1 h', 'h', '1w', '1H', '1h30m', '٣h', ' 1h'])('refuses %j', (text) => {
  expect(() => parseDuration(text)).toThrow(`cannot read the duration "${text}"`)
})

test.each(['3651d', '999999999999h'])('%s is more than ten years', (text) => {
  expect(() => parseDuration(text)).toThrow('at most 3650d')
})
