import { expect, test } from 'vitest'
import { bytesHash, textHash } from '#kit/text-hash.ts'

test('known answers, the same for a text and its ASCII bytes', () => {
  expect([textHash(''), textHash('a'), textHash('look after')]).toEqual([2872998923, 444641715, 1677574343])
  expect(bytesHash(Buffer.from('look after'), 0, 10)).toBe(textHash('look after'))
  expect(bytesHash(Buffer.from('to look after'), 3, 13)).toBe(textHash('look after'))
})
