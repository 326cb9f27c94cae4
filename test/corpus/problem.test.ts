import { expect, test } from 'vitest'
import { fieldPath, formatProblem } from '#corpus/problem.ts'

test('a problem reads file, line, field, reason', () => {
  expect(formatProblem({ file: 'clips/a.jsonl', line: 12, field: 'cues[3].tEnd', reason: 'is late' })).toBe(
    'clips/a.jsonl:12: cues[3].tEnd: is late',
  )
  expect(formatProblem({ file: 'clips/a.json', reason: 'is empty' })).toBe('clips/a.json: is empty')
})

test('a field is written as in code, and none where the whole record is meant', () => {
  expect(fieldPath(['cues', 3, 'words', 0, 'tEnd'])).toBe('cues[3].words[0].tEnd')
  expect(fieldPath(['channel', 'id'])).toBe('channel.id')
  expect(fieldPath([])).toBeUndefined()
})
