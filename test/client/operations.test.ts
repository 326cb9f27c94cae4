import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clientSource, generatedFile } from '../../scripts/generate-client.ts'

test('the generated types of the client are up to date with the table of operations', async () => {
  expect(readFileSync(generatedFile, 'utf8')).toBe(await clientSource())
})
