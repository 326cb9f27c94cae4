import { expect, test } from 'vitest'
import { closestOf } from '#kit/closest.ts'

const names = ['q', 'language', 'gloss', 'level', 'hasClips', 'limit', 'cursor']

test.each([
  ['lang', 'language'],
  ['LANGUAGE', 'language'],
  ['languages', 'language'],
  ['has_clips', 'hasClips'],
  ['hasclip', 'hasClips'],
  ['limt', 'limit'],
  ['curser', 'cursor'],
  ...['page', 'x', 'Q1', 'offset', 'lavguzqe', 'li', '', 'a'.repeat(8000), '__proto__'].map((name) => [
    name,
    undefined,
  ]),
])('the closest to %s is %s', (name, candidate) => expect(closestOf(name!, names)).toBe(candidate))

test('returns the closest of several, and the first of equally close ones', () => {
  expect(closestOf('ids', ['idx', 'ids'])).toBe('ids')
  expect(closestOf('clipLeve', ['level', 'clipLevel', 'clipLevels'])).toBe('clipLevel')
})
