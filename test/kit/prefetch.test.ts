import { expect, test } from 'vitest'
import { prefetch } from '#kit/prefetch.ts'

test('a prefetch changes nothing, and takes places before, at and behind the end', () => {
  const memory = Uint32Array.of(1, 2, 3)
  prefetch(memory, [])
  prefetch(memory, [0, 2, -1, 3, 1_000_000])
  expect([...memory]).toEqual([1, 2, 3])
})
