import { expect, test } from 'vitest'
import { ownBytes } from '#kit/own-bytes.ts'

test('bytes cut from a slab are copied, and bytes alone in their memory are not', () => {
  const slab = Buffer.alloc(64 * 1024, 'a')
  const own = ownBytes(slab.subarray(10, 13))
  expect([own.toString(), own.buffer.byteLength]).toEqual(['aaa', 3])
  expect(ownBytes(own)).toBe(own)
})
