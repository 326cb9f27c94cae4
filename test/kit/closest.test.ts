import { expect, test } from 'vitest'
import { closestOf } from '#kit/closest.ts'

const names = ['q', 'language', 'gloss', 'level', 'hasClips', 'limit', 'cursor']

test.each([
  ['lang', 'language'],
  ['LANGUAGE', 'language'],
  ['languages', 'language'],
  ['levels', 'level'],
  ['levl', 'level'],
  ['has_clips', 'hasClips'],
  ['hasclip', 'hasClips'],
  ['limt', 'limit'],
  ['curser', 'cursor'],
  ['glos', 'gloss'],
])('%s is close to %s', (name, candidate) => {
  expect(closestOf(name, names)).toBe(candidate)
})

test.each(['page', 'x', 'Q1', 'offset', 'li', '', 'a'.repeat(8000), '__proto__'])(
  '%s is close to nothing',
  (name) => {
    expect(closestOf(name, names)).toBeUndefined()
  },
)

test('of several the closest is given, of equally close ones the first', () => {
  expect(closestOf('ids', ['idx', 'ids'])).toBe('ids')
  expect(closestOf('clipLeve', ['level', 'clipLevel', 'clipLevels'])).toBe('clipLevel')
})
