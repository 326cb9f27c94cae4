import { expect, test } from 'vitest'
import { table } from '../../scripts/table.ts'

test('a table of 200,000 rows is drawn', () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => ({ keyId: `key_${i}`, account: 'ann' }))
  const lines = table(rows).split('\n')
  expect(lines).toHaveLength(200_001)
  expect(lines.at(-1)).toBe('key_199999  ann')
})
