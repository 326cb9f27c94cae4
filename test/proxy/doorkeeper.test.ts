import { expect, test } from 'vitest'
import { Doorkeeper } from '#proxy/doorkeeper.ts'

test('a text is seen from the second time on', () => {
  const seen = new Doorkeeper()
  expect(seen.see('/v1/words?q=a')).toBe(false)
  expect(seen.see('/v1/words?q=a')).toBe(true)
  expect(seen.see('/v1/words?q=b')).toBe(false)
})

test('what comes once is forgotten', () => {
  const seen = new Doorkeeper()
  seen.see('first')
  for (let i = 0; i < 100_000; i++) seen.see(`text ${i}`)
  expect(seen.see('first')).toBe(false)
})
