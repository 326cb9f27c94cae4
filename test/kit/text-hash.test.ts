import { expect, test } from 'vitest'
import { textHash } from '#kit/text-hash.ts'

test('known answers', () => {
  expect([textHash(''), textHash('a'), textHash('look after')]).toEqual([2872998923, 444641715, 1677574343])
})
