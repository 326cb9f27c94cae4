import { expect, test } from 'vitest'
import { compareWithLimits } from '#release/limits.ts'

test('reports a size from 80% of its limit, and an excess above it', () => {
  const at = (files: number) => compareWithLimits({ files }, { files: 100 })
  expect(at(79)).toEqual([])
  expect(at(80)).toMatchObject([{ place: 'data/', isExceeded: false }])
  expect(at(80)[0]!.reason).toMatch(/^has 80 files, which is 80% of the limit of 100\. Split the corpus/)
  expect(at(100)[0]!.isExceeded).toBe(false)
  expect(at(101)[0]!.isExceeded).toBe(true)
})
