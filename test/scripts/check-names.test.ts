import { expect, test } from 'vitest'
import { nameFaults } from '../../scripts/check-names.ts'

test.each([
  'const found = 1',
  'function f(asked: string) {}',
  'const { a: kept } = x',
  'type T = { packed: 1 }',
  'const rejected = 1',
])('rejects a bare participle: %s', (text) => expect(nameFaults('a.ts', text)).toHaveLength(1))

test.each([
  'const seed = 1',
  'const matchingRows = 1',
  'function read() {}',
  'const { found: rows } = x',
  'const { rejected } = report',
])('accepts a noun, a verb and a field of a report: %s', (text) =>
  expect(nameFaults('a.ts', text)).toEqual([]),
)
