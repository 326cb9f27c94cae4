import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pythonFile, pythonSource } from '../../../scripts/generate-python-client.ts'

test('the generated types of the Python client are up to date with the table of operations', () => {
  expect(readFileSync(pythonFile, 'utf8')).toBe(pythonSource())
})
